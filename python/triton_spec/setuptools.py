"""A plugin of setuptools: a build of triton's sources gets the overlay of ``FLAGTREE_BACKEND`` baked in.

setuptools calls finalize() for every distribution that is built where triton-spec is installed. One that
does not hold the package triton is left alone; setup.py stays as it is.
"""

import json
import logging
import os

PACKAGE = "triton"

_logger = logging.getLogger("triton_spec")  # setuptools shows it as it does its own messages


def _version_with_label(version, backend):
    """The version as a local one of the backend: "3.6.0" -> "3.6.0+acme", once."""
    label = backend.replace("_", ".")
    public, _, local = version.partition("+")
    if local == label or local.endswith("." + label):
        return version
    return f"{public}+{local}.{label}" if local else f"{public}+{label}"


def _roots():
    """The overlay roots of the environment, and the trunk's own third_party.

    setup.py lies in the trunk or, before Triton 3.2, in its folder python.
    """
    from ._activate import environment_roots
    beside = [folder for folder in ("third_party", "../third_party") if os.path.isdir(folder)]
    return [os.path.abspath(root) for root in (*beside[:1], *environment_roots())]


def _bake(command, backend):
    """Bakes the overlay into what the command has built. SetupError."""
    from setuptools.errors import SetupError

    from . import _log, _spec
    from .errors import SpecError

    def tell(finding):
        if finding["severity"] != "error":  # those are part of what is raised
            _logger.log(logging.WARNING if finding["severity"] == "warning" else logging.INFO,
                        _log.finding_text(finding))
    try:
        _spec.bake_folder(backend=backend, roots=_roots(), folder=os.path.abspath(command.build_lib),
                          on_event=tell)
    except SpecError as error:
        raise SetupError(_log.error_text(error)) from error
    for override in _manifest(command)["overrides"]:
        _logger.info(_log.override_text(override))


def _manifest(command):
    """What an earlier build, or this one, has baked into the command's folder; None: nothing."""
    path = os.path.join(command.build_lib, PACKAGE, "_spec_manifest.json")
    if not os.path.isfile(path):
        return None
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def _restore(command):
    """Removes what an earlier build has baked: setuptools copies only what is newer than its copy."""
    manifest = _manifest(command)
    if manifest is None:
        return
    for member in (*manifest["members"], {"path": f"{PACKAGE}/_spec_manifest.json"}):
        path = os.path.join(command.build_lib, member["path"])
        if os.path.isfile(path):
            os.unlink(path)


def _after(base):
    """The command build_py of a project, with the overlay put over what it builds."""
    class build_py(base):
        def run(self):
            holds = PACKAGE in (self.packages or ())
            backend = os.environ.get("FLAGTREE_BACKEND")
            if holds and not self.editable_mode:
                _restore(self)
            super().run()
            if holds and backend and self.editable_mode:
                _logger.warning("an editable install has no overlay of '%s' in it; use: triton-spec run "
                                "--backend %s ..., or triton-spec enable", backend, backend)
            elif holds and backend:
                _bake(self, backend)
    build_py.__doc__ = base.__doc__
    return build_py


def finalize(distribution):
    """For setuptools: called with each distribution once its keywords are known."""
    backend = os.environ.get("FLAGTREE_BACKEND")
    named = PACKAGE in (distribution.packages or ())
    if not backend and not named:
        return
    distribution.cmdclass["build_py"] = _after(distribution.get_command_class("build_py"))
    version = distribution.metadata.version
    if backend and named and isinstance(version, str):
        distribution.metadata.version = _version_with_label(version, backend)
