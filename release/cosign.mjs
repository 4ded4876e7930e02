// Signatures as cosign makes them with a key pair: https://github.com/sigstore/cosign/blob/v3.0.6/specs/SIGNATURE_SPEC.md
import { createPrivateKey, scryptSync, sign } from 'node:crypto';
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import { imageOf } from './oci-layout.mjs';

/**
 * The private key in a file of `cosign generate-key-pair`, opened with its password. Throws if the
 * password is wrong, or the text is no such key on the curve P-256.
 */
export function openKey(text, password) {
  const [, body] =
    /^-----BEGIN ENCRYPTED (?:SIGSTORE|COSIGN) PRIVATE KEY-----([^-]*)-----END/m.exec(text) ?? [];
  if (body === undefined) throw new Error('it is not a private key of cosign');
  const { kdf, cipher, ciphertext } = JSON.parse(bytes(body).toString());
  if (kdf.name !== 'scrypt' || cipher.name !== 'nacl/secretbox') {
    throw new Error(`it is encrypted with ${kdf.name} and ${cipher.name}`);
  }
  const secret = scryptSync(password, bytes(kdf.salt), 32, { ...kdf.params, maxmem: 2 ** 28 });
  const der = decrypted(xsalsa20poly1305(secret, bytes(cipher.nonce)), bytes(ciphertext));
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  if (key.asymmetricKeyDetails.namedCurve !== 'prime256v1') throw new Error('it is not of P-256');
  return key;
}

function decrypted(box, ciphertext) {
  try {
    return Buffer.from(box.decrypt(ciphertext));
  } catch {
    throw new Error('the password is wrong');
  }
}

/** The signature of bytes, in base64: a file that `cosign verify-blob --signature` reads. */
export function signatureOf(bytesToSign, key) {
  return sign('sha256', bytesToSign, key).toString('base64');
}

/**
 * The signature of an image or artifact, as an image, and the tag under which cosign looks for it
 * beside the signed one. `digest` is that of the manifest, and `name` a name of the image.
 */
export function imageSignature({ digest, name }, key) {
  const claim = {
    critical: {
      identity: { 'docker-reference': name },
      image: { 'docker-manifest-digest': digest },
      type: 'cosign container image signature',
    },
    optional: null,
  };
  const payload = Buffer.from(JSON.stringify(claim));
  const layer = {
    type: 'application/vnd.dev.cosign.simplesigning.v1+json',
    bytes: payload,
    annotations: { 'dev.cosignproject.cosign/signature': signatureOf(payload, key) },
  };
  return {
    tag: `${digest.replace(':', '-')}.sig`,
    image: imageOf({ config: {}, layers: [layer] }),
  };
}

function bytes(base64) {
  return Buffer.from(base64, 'base64');
}
