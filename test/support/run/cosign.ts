import type { KeyObject } from 'node:crypto';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** An image that has the signature of another one: its manifest, and the blobs that it names. */
interface SignatureImage {
  readonly tag: string;
  readonly image: { readonly manifest: Buffer; readonly blobs: readonly Buffer[] };
}

/** What release/cosign.mjs has. */
interface Cosign {
  openKey(text: string, password: string): KeyObject;
  signatureOf(bytes: Buffer, key: KeyObject): string;
  imageSignature(
    signed: { readonly digest: string; readonly name: string },
    key: KeyObject,
  ): SignatureImage;
}

const module: Cosign = await import(pathToFileURL(resolve('release/cosign.mjs')).href);
export const { openKey, signatureOf, imageSignature } = module;

/** A key pair as `cosign generate-key-pair` makes it, with the code of go-securesystemslib 0.11. It is for tests only. */
export const cosignKey = {
  password: 'the password of a test',
  text: `-----BEGIN ENCRYPTED SIGSTORE PRIVATE KEY-----
eyJrZGYiOnsibmFtZSI6InNjcnlwdCIsInBhcmFtcyI6eyJOIjo2NTUzNiwiciI6
OCwicCI6MX0sInNhbHQiOiJhdFhJK2l4OEdUZXVwSlZpMjVvblBCa1hQMm4xVVQ3
bzdkdnZRWDlLSjVNPSJ9LCJjaXBoZXIiOnsibmFtZSI6Im5hY2wvc2VjcmV0Ym94
Iiwibm9uY2UiOiIxcDJqR2R3eWNyUkVQNEtyd0lBNHgyOGhsYnk5VFV1KyJ9LCJj
aXBoZXJ0ZXh0IjoiaHY4c0xaT1dkVWpjUjg4OEJodUtEdXA4OFdtVUF4V2lkSHJR
Rk5RMTlHdmlFYmlPcHdlSmxYM29jTmVEUzlNUWZjMUhBMC8zaGFNREFqRXRwSG5k
a3p3N05SVVc4VGtwQVU3U21ob3l5WExFcnh0SU1laE15YjFLM3Y2ZzU1ZndRMzU3
bFpKWnBFdC85R0dFVUw0azhiZERaZXFBNVZNV255aWlDd0dlcG5URDlVeDlGNVkv
bHRUUlE1bEU4Um5KbjFVOXNDVXdFNndzREE9PSJ9
-----END ENCRYPTED SIGSTORE PRIVATE KEY-----
`,
  publicText: `-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEqnyZvDKM7SFCuW2JYrl3WsSp8UVe
meZUfOkEl22cDmZgPKbPg8Zn8EpsDOoJWw1UCizzGgo94IpGw+95ZZ4OwA==
-----END PUBLIC KEY-----
`,
  open: (): KeyObject => openKey(cosignKey.text, cosignKey.password),
};
