/** Snapshots as VICE writes them, by its manual, "Snapshot format". */

export const padded = (text: string, length: number): number[] =>
  Array.from({ length }, (_, index) => (index < text.length ? text.charCodeAt(index) : 0))

export const viceHeader = [...padded('VICE Snapshot File\x1a', 19), 2, 0, ...padded('C64SC', 16)]
/** Since VICE 2.4. */
export const viceVersion = [...padded('VICE Version\x1a', 13), 3, 7, 0, 0, 0, 0, 0, 0]

export function viceModule(name: string, content: Iterable<number>): number[] {
  const bytes = [...content]
  const size = new Uint8Array(Uint32Array.of(bytes.length + 22).buffer)
  return [...padded(name, 16), 1, 0, ...size, ...bytes]
}

export const viceMemory = (ram: Uint8Array): number[] => viceModule('C64MEM', [0x37, 0x2f, 0, 1, ...ram, 9, 9])

export const viceSnapshot = (ram: Uint8Array): Uint8Array =>
  Uint8Array.from([...viceHeader, ...viceVersion, ...viceModule('MAINCPU', [1, 2, 3]), ...viceMemory(ram)])
