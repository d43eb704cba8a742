"""A sigstore of our own: a certificate authority, a certificate log and a signature log that last one test.

It issues what the public services issue, so that bundles are checked for real without the network. Written
from the formats' specifications (RFC 6962 for both logs, the bundle and trust root messages of sigstore).
"""

import base64
import hashlib
import json
import struct
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

SIGNED_AT = datetime(2026, 5, 16, tzinfo=UTC)
_ISSUER_OID = x509.ObjectIdentifier("1.3.6.1.4.1.57264.1.1")
_SCT_LIST_OID = x509.ObjectIdentifier("1.3.6.1.4.1.11129.2.4.2")
_ALWAYS = {"start": "2020-01-01T00:00:00Z"}


def b64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def new_key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


def public_der(key: ec.EllipticCurvePrivateKey) -> bytes:
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    return key.public_key().public_bytes(serialization.Encoding.DER, form)


def key_id(key: ec.EllipticCurvePrivateKey) -> bytes:
    return hashlib.sha256(public_der(key)).digest()


def signature(key: ec.EllipticCurvePrivateKey, data: bytes) -> bytes:
    return key.sign(data, ec.ECDSA(hashes.SHA256()))


@dataclass(frozen=True)
class ThrowawaySigstore:
    """All the services at once."""

    authority_key: ec.EllipticCurvePrivateKey = field(default_factory=new_key)
    certificate_log_key: ec.EllipticCurvePrivateKey = field(default_factory=new_key)
    signature_log_key: ec.EllipticCurvePrivateKey = field(default_factory=new_key)

    def write_trust_root(self, path: Path) -> Path:
        authority = {
            "subject": {"organization": "throwaway", "commonName": "throwaway"},
            "uri": "https://fulcio.example",
            "certChain": {"certificates": [{"rawBytes": b64(self._authority_certificate())}]},
            "validFor": _ALWAYS,
        }
        root = {
            "mediaType": "application/vnd.dev.sigstore.trustedroot+json;version=0.1",
            "tlogs": [_log("https://rekor.example", self.signature_log_key)],
            "ctlogs": [_log("https://ctfe.example", self.certificate_log_key)],
            "certificateAuthorities": [authority],
            "timestampAuthorities": [],
        }
        path.write_text(json.dumps(root), encoding="utf-8")
        return path

    def sign(self, data: bytes, *, identity: str, issuer: str) -> str:
        """Sign as someone whom the issuer has just vouched for; the bundle as JSON."""
        key = new_key()
        certificate = self._certificate(key, identity, issuer)
        signed = signature(key, data)
        digest = hashlib.sha256(data).digest()
        bundle = {
            "mediaType": "application/vnd.dev.sigstore.bundle.v0.3+json",
            "verificationMaterial": {
                "certificate": {"rawBytes": b64(_der(certificate))},
                "tlogEntries": [self._log_entry(certificate, signed, digest)],
            },
            "messageSignature": {
                "messageDigest": {"algorithm": "SHA2_256", "digest": b64(digest)},
                "signature": b64(signed),
            },
        }
        return json.dumps(bundle)

    def _authority_certificate(self) -> bytes:
        name = _name("throwaway authority")
        usage = _key_usage(is_authority=True)
        key = self.authority_key.public_key()
        builder = (
            x509.CertificateBuilder(name, name, key, 1)
            .not_valid_before(SIGNED_AT - timedelta(days=365))
            .not_valid_after(SIGNED_AT + timedelta(days=3650))
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(usage, critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
        )
        return _der(builder.sign(self.authority_key, hashes.SHA256()))

    def _certificate(
        self, key: ec.EllipticCurvePrivateKey, identity: str, issuer: str
    ) -> x509.Certificate:
        """A certificate with the log's promise inside, which speaks of the certificate without it."""
        authority = self.authority_key.public_key()
        builder = (
            x509.CertificateBuilder(
                _name("throwaway authority"), x509.Name([]), key.public_key(), 2
            )
            .not_valid_before(SIGNED_AT - timedelta(minutes=1))
            .not_valid_after(SIGNED_AT + timedelta(minutes=9))
            .add_extension(_key_usage(is_authority=False), critical=True)
            .add_extension(
                x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CODE_SIGNING]), critical=False
            )
            .add_extension(x509.SubjectAlternativeName([x509.RFC822Name(identity)]), critical=True)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(authority), critical=False
            )
            .add_extension(x509.UnrecognizedExtension(_ISSUER_OID, issuer.encode()), critical=False)
        )
        draft = self._with_promise(builder, b"")
        return self._with_promise(builder, draft.tbs_precertificate_bytes)

    def _with_promise(self, builder: x509.CertificateBuilder, logged: bytes) -> x509.Certificate:
        at_ms = int(SIGNED_AT.timestamp() * 1000)
        size = struct.pack("!I", len(logged))[1:]
        entry = key_id(self.authority_key) + size + logged + b"\0\0"
        signed = signature(self.certificate_log_key, struct.pack("!BBQH", 0, 0, at_ms, 1) + entry)
        promise = struct.pack("!B32sQH", 0, key_id(self.certificate_log_key), at_ms, 0)
        promise += struct.pack("!BBH", 4, 3, len(signed)) + signed
        promises = struct.pack("!HH", len(promise) + 2, len(promise)) + promise
        octets = (
            bytes([0x04, 0x81, len(promises)]) if len(promises) > 127 else bytes([4, len(promises)])
        )
        extension = x509.UnrecognizedExtension(_SCT_LIST_OID, octets + promises)
        return builder.add_extension(extension, critical=False).sign(
            self.authority_key, hashes.SHA256()
        )

    def _log_entry(
        self, certificate: x509.Certificate, signed: bytes, digest: bytes
    ) -> dict[str, object]:
        pem = certificate.public_bytes(serialization.Encoding.PEM)
        body = _canonical(
            {
                "apiVersion": "0.0.1",
                "kind": "hashedrekord",
                "spec": {
                    "data": {"hash": {"algorithm": "sha256", "value": digest.hex()}},
                    "signature": {"content": b64(signed), "publicKey": {"content": b64(pem)}},
                },
            }
        )
        log_id = key_id(self.signature_log_key)
        at = int(SIGNED_AT.timestamp())
        facts = {"body": b64(body), "integratedTime": at, "logID": log_id.hex(), "logIndex": 0}
        # A log of one entry: its root is that entry's leaf, and the proof of inclusion is empty.
        root = hashlib.sha256(b"\0" + body).digest()
        return {
            "logIndex": "0",
            "logId": {"keyId": b64(log_id)},
            "kindVersion": {"kind": "hashedrekord", "version": "0.0.1"},
            "integratedTime": str(at),
            "inclusionPromise": {
                "signedEntryTimestamp": b64(signature(self.signature_log_key, _canonical(facts)))
            },
            "inclusionProof": {
                "logIndex": "0",
                "rootHash": b64(root),
                "treeSize": "1",
                "hashes": [],
                "checkpoint": {"envelope": self._checkpoint(root)},
            },
            "canonicalizedBody": b64(body),
        }

    def _checkpoint(self, root: bytes) -> str:
        note = f"rekor.example - 1\n1\n{b64(root)}\n"
        signed = signature(self.signature_log_key, note.encode())
        mark = key_id(self.signature_log_key)[:4]
        return f"{note}\n\N{EM DASH} rekor.example {b64(mark + signed)}\n"


def _log(url: str, key: ec.EllipticCurvePrivateKey) -> dict[str, object]:
    return {
        "baseUrl": url,
        "hashAlgorithm": "SHA2_256",
        "publicKey": {
            "rawBytes": b64(public_der(key)),
            "keyDetails": "PKIX_ECDSA_P256_SHA_256",
            "validFor": _ALWAYS,
        },
        "logId": {"keyId": b64(key_id(key))},
    }


def _canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def _der(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.DER)


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _key_usage(*, is_authority: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not is_authority,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=is_authority,
        crl_sign=is_authority,
        encipher_only=False,
        decipher_only=False,
    )
