import type { Frame } from '@shared/contract/frames'

export const FIRST_FRAME = 1_790_000_000_000
export const FRAME_MS = 20

/** A frame whose RAM tells its number, with a kilobyte that no codec makes smaller. */
export function numberedFrame(number: number): Frame {
  const ram = new Uint8Array(0x10000)
  new DataView(ram.buffer).setUint32(0, number)
  let noise = number + 1
  for (let address = 0x1000; address < 0x1400; address++) {
    noise = (Math.imul(noise, 1_664_525) + 1_013_904_223) | 0
    ram[address] = noise >>> 24
  }
  return {
    machine: 'builtin',
    epoch: 1,
    seq: number,
    time: FIRST_FRAME + number * FRAME_MS,
    segments: [{ space: 'ram', address: 0, bytes: ram }],
  }
}
