"""A fresh Python environment that has the test environment's packages without a download."""

import os
import sysconfig
import venv

from support.toy import clean_environment


def fresh_environment(folder, *site_packages, **more):
    """Makes an environment in `folder`; returns the variables of a shell in which it is active.

    Its pip installs into it, from folders alone, and finds what is in the test environment as if it were
    installed. Packages of `site_packages`, folders, come before those.
    """
    venv.create(folder, symlinks=True, with_pip=False)
    site = next((folder / "lib").glob("python*/site-packages"))
    paths = [*map(str, site_packages), sysconfig.get_path("purelib")]
    # So that .pth files in those folders count as well.
    (site / "test_environment.pth").write_text("".join(f"import site; site.addsitedir({path!r})\n" for path in paths))
    for name in ("pip", "pytest"):
        program = folder / "bin" / name
        program.write_text(f'#!/bin/sh\nexec "{folder}/bin/python" -m {name} "$@"\n')
        program.chmod(0o755)
    made = clean_environment(VIRTUAL_ENV=str(folder), LC_ALL="C.UTF-8", PIP_NO_INDEX="1", PIP_NO_BUILD_ISOLATION="0",
                             PIP_DISABLE_PIP_VERSION_CHECK="1", PIP_NO_CACHE_DIR="1", PYTHONDONTWRITEBYTECODE="1",
                             TRITON_CACHE_DIR=str(folder / "kernels"), **more)
    if "PYTHONPATH" not in more:
        made.pop("PYTHONPATH", None)
    made["PATH"] = os.pathsep.join([str(folder / "bin"), made["PATH"]])
    return made
