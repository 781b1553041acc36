import { formatAddress } from './c64/address'
import type { LeftBehind } from './contract/steering'
import { counted } from './countedText'

export function leftParts(left: Omit<LeftBehind, 'machine' | 'name' | 'colour' | 'time'>): string {
  const { paused, warp, slow, checkpoints, frozen, keys, joysticks } = left
  const addresses = frozen.slice(0, MAX_NAMED).map(({ address }) => formatAddress(address))
  return [
    ...(paused ? ['paused'] : []),
    ...(warp ? ['in warp'] : []),
    ...(slow ? ['in slow motion'] : []),
    ...(checkpoints.length > 0
      ? [`with ${counted(checkpoints.length, 'checkpoint')} (${checkpoints.slice(0, MAX_NAMED).join(', ')})`]
      : []),
    ...(addresses.length > 0 ? [`with ${addresses.join(', ')} frozen`] : []),
    ...(keys.length > 0 ? [`with ${keys.slice(0, MAX_NAMED).join(' and ')} held`] : []),
    ...joysticks.map(({ port, inputs }) => `with ${inputs.join(' and ')} held in port ${port}`),
  ].join(', ')
}

const MAX_NAMED = 5

export const describeLeft = (left: LeftBehind): string => `${left.name} left it ${leftParts(left)}.`
