/** DSSE, https://github.com/secure-systems-lab/dsse: signs a payload together with its type. */
export interface Envelope {
  payloadType: string;
  /** Base64 of the signed bytes. */
  payload: string;
  signatures: { keyid: string; sig: string }[];
}

export interface EnvelopeSigner {
  keyid: string;
  /** Ed25519 over the message, 64 bytes. */
  sign(message: Uint8Array): Uint8Array;
}

export interface EnvelopeKey {
  keyid: string;
  verify(message: Uint8Array, signature: Uint8Array): boolean | Promise<boolean>;
}

const utf8 = new TextEncoder();

/** Pre-authentication encoding: `DSSEv1 <length> <type> <length> <payload>`, lengths in bytes. */
export function preAuthEncoding(payloadType: string, payload: Uint8Array): Uint8Array {
  const type = utf8.encode(payloadType);
  const head = utf8.encode(`DSSEv1 ${type.length} ${payloadType} ${payload.length} `);
  const message = new Uint8Array(head.length + payload.length);
  message.set(head);
  message.set(payload, head.length);
  return message;
}

export function sealEnvelope(payloadType: string, payload: Uint8Array, signer: EnvelopeSigner): Envelope {
  const signature = signer.sign(preAuthEncoding(payloadType, payload));
  return {
    payloadType,
    payload: payload.toBase64(),
    signatures: [{ keyid: signer.keyid, sig: signature.toBase64() }],
  };
}

/**
 * The payload's bytes when one of the keys has signed them under the wanted type, else null. `keyid` is a hint only:
 * every key is tried on every signature, as the specification asks.
 */
export async function openEnvelope(
  envelope: Envelope,
  payloadType: string,
  keys: readonly EnvelopeKey[],
): Promise<Uint8Array | null> {
  if (envelope.payloadType !== payloadType) return null;
  const payload = fromBase64(envelope.payload);
  if (!payload) return null;
  const message = preAuthEncoding(payloadType, payload);
  for (const { sig } of envelope.signatures) {
    const signature = fromBase64(sig);
    if (!signature) continue;
    for (const key of keys) if (await key.verify(message, signature)) return payload;
  }
  return null;
}

function fromBase64(text: string): Uint8Array | null {
  try {
    const alphabet = /[-_]/.test(text) ? "base64url" : "base64";
    return Uint8Array.fromBase64(text, { alphabet });
  } catch {
    return null;
  }
}
