import type { AccessesTold } from '../../frames/accessTimes'

/**
 * Why that cannot make bytes hot now; null where it can.
 * @param kind a value of the choice `memory.heat`
 * @param space one of `memory.space`
 */
export function heatLimit(kind: string, told: AccessesTold, space: string): string | null {
  if (kind === 'changes') return null
  if (told === 'none') return 'This machine does not tell of reads and writes.'
  // Where all is told, each memory is told apart.
  if (space !== 'cpu' && told !== 'all') return 'Reads and writes are known of the CPU’s memory only.'
  return kind === 'runs' && told === 'bus' ? 'On this machine’s bus, running code looks like reads.' : null
}
