import type { AccessesTold } from '../../frames/accessTimes'

export function heatLimit(kind: string, told: AccessesTold, space: string): string | null {
  if (kind === 'changes') return null
  if (told === 'none') return 'This machine does not tell of reads and writes.'
  if (space !== 'cpu' && told !== 'all') return 'Reads and writes are known of the CPU’s memory only.'
  return kind === 'runs' && told === 'bus' ? 'On this machine’s bus, running code looks like reads.' : null
}
