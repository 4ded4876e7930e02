import { createHash, createPublicKey, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { cosignKey, imageSignature, openKey, signatureOf } from '../../support/run/cosign.ts';

const { text, password, publicText } = cosignKey;

function isSigned(bytes: Buffer, signature: string): boolean {
  return verify('sha256', bytes, createPublicKey(publicText), Buffer.from(signature, 'base64'));
}

test("a key file of cosign's opens with its password", () => {
  const signature = signatureOf(Buffer.from('some bytes'), openKey(text, password));
  expect(isSigned(Buffer.from('some bytes'), signature)).toBe(true);
  expect(isSigned(Buffer.from('other bytes'), signature)).toBe(false);
});

test.each([
  [text, 'another password', 'the password is wrong'],
  [publicText, password, 'it is not a private key of cosign'],
  ['', password, 'it is not a private key of cosign'],
])('a key that does not open is refused: %#', (key, word, message) => {
  expect(() => openKey(key, word)).toThrow(message);
});

test('the signature of an image is an image with the tag where cosign looks for it', () => {
  const digest = `sha256:${'0a'.repeat(32)}`;
  const { tag, image } = imageSignature({ digest, name: 'leasehold' }, cosignKey.open());
  expect(tag).toBe(`sha256-${'0a'.repeat(32)}.sig`);
  const { layers } = JSON.parse(image.manifest.toString());
  const [, payload = Buffer.of()] = image.blobs;
  expect(layers).toEqual([
    {
      mediaType: 'application/vnd.dev.cosign.simplesigning.v1+json',
      digest: `sha256:${createHash('sha256').update(payload).digest('hex')}`,
      size: payload.length,
      annotations: { 'dev.cosignproject.cosign/signature': expect.any(String) },
    },
  ]);
  const [signature] = Object.values<string>(layers[0].annotations);
  expect(isSigned(payload, signature ?? '')).toBe(true);
  expect(JSON.parse(payload.toString()).critical).toEqual({
    identity: { 'docker-reference': 'leasehold' },
    image: { 'docker-manifest-digest': digest },
    type: 'cosign container image signature',
  });
});
