export interface Stretch {
  readonly address: number
  readonly length: number
}

export function stretches(holds: (address: number) => boolean): Stretch[] {
  const found: { address: number; length: number }[] = []
  for (let address = 0; address < 0x10000; address++) {
    if (!holds(address)) continue
    const last = found.at(-1)
    if (last && last.address + last.length === address) last.length++
    else found.push({ address, length: 1 })
  }
  return found
}
