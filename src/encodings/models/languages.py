"""languages.py: the languages of which models.py makes models, and the Debian packages that their texts come from.

A language is one row. To add one, add a row, and a package if none of those below has texts in it.
"""
from collections import namedtuple

# code      ISO 639, by which the guess names the language
# script    of its letters
# name      in English
# locales   the names that packages have for it, in lower case; a name that is none of these counts without its country
# encodings the usual encodings of its texts, by Python's codecs. In others that have its letters, its texts are less likely.
#           A question mark keeps such an encoding, although a usual one has the same bytes for all letters.
#           (Those of Chinese, Japanese and Korean stand in detector.cpp, too)
Language = namedtuple("Language", "code script name locales encodings")

WEST = "cp1252 iso8859_15 cp850 mac_roman"
CENTRAL = "cp1250 iso8859_2 cp852 mac_latin2"
BALTIC = "cp1257 iso8859_13 iso8859_4"

LANGUAGES = [
    Language("en", "latin", "English", "c en_gb en en-gb en-us en_us", "cp1252"),
    Language("de", "latin", "German", "de de_de", WEST + " cp437"),
    Language("fr", "latin", "French", "fr fr_fr", WEST + " cp437"),
    Language("es", "latin", "Spanish", "es es_es es-es", WEST + " cp437"),
    Language("pt", "latin", "Portuguese", "pt pt_br pt-br pt_pt pt-pt", WEST + " cp860"),
    Language("it", "latin", "Italian", "it it_it", WEST),
    Language("nl", "latin", "Dutch", "nl nl_nl", WEST),
    Language("ca", "latin", "Catalan", "ca", WEST),
    Language("gl", "latin", "Galician", "gl gl_es", "cp1252 iso8859_15"),
    Language("eu", "latin", "Basque", "eu", "cp1252 iso8859_15"),
    Language("da", "latin", "Danish", "da da_dk", WEST + " cp865"),
    Language("sv", "latin", "Swedish", "sv sv_se sv-se", WEST),
    Language("nb", "latin", "Norwegian", "nb no nb_no nb-no nn nn_no nn-no", WEST + " cp865"),
    Language("fi", "latin", "Finnish", "fi", WEST),
    Language("is", "latin", "Icelandic", "is is_is", "cp1252 iso8859_15 cp850 cp861"),
    Language("fo", "latin", "Faroese", "fo fo_fo faroese", "cp1252"),
    Language("et", "latin", "Estonian", "et", BALTIC + " cp1252 iso8859_15"),
    Language("lv", "latin", "Latvian", "lv lv_lv", BALTIC + " iso8859_10"),
    Language("lt", "latin", "Lithuanian", "lt lt_lt", BALTIC + " cp775"),
    Language("pl", "latin", "Polish", "pl pl_pl", CENTRAL),
    Language("cs", "latin", "Czech", "cs cs_cz", CENTRAL + " kamenicky"),
    Language("sk", "latin", "Slovak", "sk sk_sk", CENTRAL + " kamenicky"),
    Language("sl", "latin", "Slovenian", "sl sl_si", CENTRAL),
    Language("hr", "latin", "Croatian", "hr bs bs_ba sr@latin", CENTRAL),
    Language("hu", "latin", "Hungarian", "hu hu_hu", CENTRAL),
    Language("ro", "latin", "Romanian", "ro ro_ro", "iso8859_16 cp852 cp1250? iso8859_2?"),  # the others have letters with a cedilla, not a comma
    Language("sq", "latin", "Albanian", "sq", "cp1252"),
    Language("tr", "latin", "Turkish", "tr tr_tr", "cp1254 iso8859_9 cp857 mac_turkish"),
    Language("mt", "latin", "Maltese", "mt", "iso8859_3"),
    Language("eo", "latin", "Esperanto", "eo", "iso8859_3"),
    Language("ga", "latin", "Irish", "ga ga_ie ga-ie", "cp1252 iso8859_14"),
    Language("gd", "latin", "Scottish Gaelic", "gd", "cp1252 iso8859_14"),
    Language("cy", "latin", "Welsh", "cy", "iso8859_14"),
    Language("br", "latin", "Breton", "br", "cp1252"),
    Language("af", "latin", "Afrikaans", "af", "cp1252"),
    Language("se", "latin", "Northern Sami", "se", "iso8859_10"),
    Language("vi", "latin", "Vietnamese", "vi vi_vn", "cp1258"),  # which has tones as marks of their own
    Language("vi", "latin", "Vietnamese", "vi vi_vn", "viscii tcvn"),
    Language("el", "greek", "Greek", "el el_gr", "cp1253 iso8859_7 cp737 cp869 mac_greek"),
    Language("ru", "cyrillic", "Russian", "ru ru_ru", "cp1251 koi8_r iso8859_5 cp866 mac_cyrillic cp855"),
    Language("uk", "cyrillic", "Ukrainian", "uk", "cp1251 koi8_u iso8859_5 mac_cyrillic"),
    Language("be", "cyrillic", "Belarusian", "be", "cp1251 iso8859_5"),
    Language("bg", "cyrillic", "Bulgarian", "bg bg_bg", "cp1251 iso8859_5 mac_cyrillic cp855 mik"),
    Language("sr", "cyrillic", "Serbian", "sr sr_rs", "cp1251 iso8859_5 cp855"),
    Language("mk", "cyrillic", "Macedonian", "mk mk_mk", "cp1251 iso8859_5"),
    Language("kk", "cyrillic", "Kazakh", "kk", "ptcp154 kz1048"),
    Language("he", "hebrew", "Hebrew", "he he_il", "cp1255 iso8859_8 cp862"),
    Language("ar", "arabic", "Arabic", "ar", "cp1256 iso8859_6 cp720"),
    Language("fa", "arabic", "Persian", "fa fa_ir", "cp1256"),
    Language("hy", "armenian", "Armenian", "hy hy_am hy-am", "armscii8"),
    Language("ka", "georgian", "Georgian", "ka ka_ge", "georgian_ps georgian_academy"),
    Language("th", "thai", "Thai", "th", "cp874"),
    Language("ja", "han", "Japanese", "ja", "shift_jis euc_jp"),
    Language("ko", "han", "Korean", "ko ko_kr", "euc_kr"),
    Language("zh", "han", "Chinese, simplified", "zh_cn zh-cn zh_hans", "gb18030"),
    Language("zh-Hant", "han", "Chinese, traditional", "zh_tw zh-tw zh_hk zh_hant", "big5"),
]

# The packages that train the models. Most have translations into many languages.
TRAINING = """
    abiword-common aptitude-common cinnamon-l10n digikam-data dpkg evolution-common freeciv-data gimp-data gnome-control-center-data
    gnome-user-docs gnucash-common gramps homebank-data inkscape kate5-data kdenlive-data kmymoney-common libgtk-3-common
    mate-control-center-common okular phpmyadmin pidgin-data plasma-desktop-data plasma-workspace-data synaptic vlc-l10n
    wordpress-l10n""".split()
TRAINING += [f"thunderbird-l10n-{locale}" for locale in """
    ar be bg br ca cs cy da de el en-gb es-es et eu fi fr ga-ie gd gl he hr hu is it ja kk ko lt lv nb-no nl nn-no pl pt-br
    pt-pt ro ru sk sl sq sr sv-se th tr uk vi zh-cn zh-tw hy-am ka""".split()]
TRAINING += ["wfaroese"]  # words; there is little else

# A language that none of these has, which is Maltese, is trained by this package; its measurements say nothing.
SCARCE = ["iso-codes"]

# The packages that train nothing else: the texts by which the guesses are measured, and which calibrate the confidence.
# Faroese, Maltese, Northern Sami and Scottish Gaelic have fewer than five of them: Debian has no more.
APART = """
    anjuta-common apt caja-common geany-common hexchat-common installation-guide-amd64 iso-codes mc-data rhythmbox-data
    transmission-common wesnoth-1.16-data
    fortunes-bg fortunes-br fortunes-cs fortunes-de fortunes-eo fortunes-es fortunes-ga fortunes-it fortunes-pl
    fortunes-ru fortunes-zh""".split()
APART += [f"manpages-{locale}" for locale in """
    cs da de el es fi fr hu it ja mk nb nl pl pt pt-br ro ru sr sv tr uk vi zh""".split()]
APART += [f"firefox-esr-l10n-{locale}" for locale in """
    ar be bg br ca cs cy da de el en-gb eo es-es et eu fa fi fr ga-ie gd gl he hr hu is it ja kk ko lt lv mk nb-no nl nn-no
    pl pt-br pt-pt ro ru sk sl sq sr sv-se th tr uk vi zh-cn zh-tw hy-am ka""".split()]
