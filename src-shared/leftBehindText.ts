import { formatAddress } from './c64/address'
import type { LeftBehind } from './contract/steering'
import { counted } from './countedText'

/** Such as `paused, in warp, with checkpoints 1 and 2, with $D020 frozen`. */
export function leftParts({
  paused,
  warp,
  checkpoints,
  frozen,
}: Omit<LeftBehind, 'machine' | 'name' | 'colour' | 'time'>): string {
  return [
    ...(paused ? ['paused'] : []),
    ...(warp ? ['in warp'] : []),
    ...(checkpoints.length > 0
      ? [`with ${counted(checkpoints.length, 'checkpoint')} (${checkpoints.slice(0, MAX_NAMED).join(', ')})`]
      : []),
    ...(frozen.length > 0
      ? [
          `with ${frozen
            .slice(0, MAX_NAMED)
            .map(({ address }) => formatAddress(address))
            .join(', ')} frozen`,
        ]
      : []),
  ].join(', ')
}

const MAX_NAMED = 5

export const describeLeft = (left: LeftBehind): string => `${left.name} left it ${leftParts(left)}.`
