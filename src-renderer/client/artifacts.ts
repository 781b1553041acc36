import { call } from './call'

export async function readArtifact(
  id: string,
  artifact: string,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let offset = 0
  for (;;) {
    const { bytes, size } = await call('tasks.artifact', { id, artifact, offset }, signal ? { signal } : {})
    parts.push(bytes)
    offset += bytes.length
    if (offset >= size || bytes.length === 0) break
  }
  const whole = new Uint8Array(offset)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
