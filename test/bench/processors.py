"""processors.py: which processor this is, and the name of its microarchitecture."""
import os
import re

# By vendor and family: the models from FIRST to LAST have this microarchitecture. Servers and clients have different
# names if their caches differ.
AMD, INTEL = "AuthenticAMD", "GenuineIntel"
NAMES = {
    (AMD, 23): [(0x01, 0x2F, "amd-zen"), (0x30, 0xAF, "amd-zen-2")],
    (AMD, 25): [(0x00, 0x0F, "amd-zen-3"), (0x20, 0x5F, "amd-zen-3"), (0x10, 0x1F, "amd-zen-4"),
                (0x60, 0x7F, "amd-zen-4"), (0xA0, 0xAF, "amd-zen-4")],
    (AMD, 26): [(0x00, 0x4F, "amd-zen-5"), (0x60, 0x7F, "amd-zen-5")],
    (INTEL, 6): [(0x3C, 0x3C, "intel-haswell"), (0x3F, 0x3F, "intel-haswell-server"), (0x3D, 0x3D, "intel-broadwell"),
                 (0x4F, 0x4F, "intel-broadwell-server"), (0x4E, 0x4E, "intel-skylake"), (0x5E, 0x5E, "intel-skylake"),
                 (0x55, 0x55, "intel-skylake-server"),  # also Cascade Lake and Cooper Lake
                 (0x6A, 0x6A, "intel-ice-lake-server"), (0x6C, 0x6C, "intel-ice-lake-server"),
                 (0x7D, 0x7E, "intel-ice-lake"), (0x8C, 0x8D, "intel-tiger-lake"),
                 (0x8F, 0x8F, "intel-sapphire-rapids"), (0x97, 0x97, "intel-alder-lake"),
                 (0x9A, 0x9A, "intel-alder-lake"), (0xAD, 0xAE, "intel-granite-rapids"),
                 (0xCF, 0xCF, "intel-emerald-rapids")],
}


def read(cpuinfo):
    """What the text of /proc/cpuinfo says of the first processor: its machine, and as far as known vendor, family and
    model. (On AArch64: the implementer, the variant and the part.)"""
    def value(*keys):
        found = re.search(rf"^(?:{'|'.join(keys)})\s*: (.*)$", cpuinfo, re.M)
        return found and found[1].strip()

    told = {"machine": value("model name") or os.uname().machine, "vendor": value("vendor_id", "CPU implementer"),
            "family": value("cpu family", "CPU variant"), "model": value("model", "CPU part")}
    return {key: int(text, 0) if key in ("family", "model") else text for key, text in told.items() if text}


def this_machine():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return read(file.read())
    except OSError:
        return read("")


def is_known(told):
    return all(key in told for key in ("vendor", "family", "model"))


def label(told):
    """What the processor calls itself and, if it is known, its name."""
    return told["machine"] + (f" ({name(told)})" if is_known(told) else "")


def name(told):
    """A name for a directory. A model without a name: its vendor, family and model in figures."""
    if not is_known(told):
        return re.sub("[^a-z0-9]+", "-", told["machine"].lower()).strip("-")
    for first, last, microarchitecture in NAMES.get((told["vendor"], told["family"]), []):
        if first <= told["model"] <= last:
            return microarchitecture
    return f"{told['vendor']}-{told['family']}-{told['model']}".lower()
