import type { MachineState } from '@shared/contract/machine'
import { limitOf } from '../../client/machines'
import { viewChoice, viewChoiceKeys, type ViewChoiceKey } from '../../client/viewChoices'
import type { AccessesTold } from '../../frames/accessTimes'
import { heatLimit } from '../../views/memory/heatLimit'
import type { PaletteItem } from './paletteItem'

export interface KnownChoices {
  readonly chosen: (key: ViewChoiceKey) => string
  readonly hasRun: boolean
  readonly paletteLimit: (palette: string) => string | null
  readonly accessesTold: AccessesTold
}

export const choiceItems = (known: KnownChoices, front: MachineState | undefined): PaletteItem[] =>
  viewChoiceKeys.flatMap((key) => {
    const { title, options, tips } = viewChoice(key)
    return Object.entries(options).map(([value, label]) => {
      const about = tips?.[value] ?? ''
      const current = known.chosen(key) === value ? 'current' : ''
      return {
        key: `choice ${key} ${value}`,
        kind: 'View',
        title: `${title}: ${label}`,
        detail: [current, about].filter(Boolean).join(', '),
        limit: limitOfChoice(key, value, known, front),
        goal: { to: 'choice', choice: key, value },
      }
    })
  })

function limitOfChoice(
  key: ViewChoiceKey,
  value: string,
  { hasRun, paletteLimit, accessesTold, chosen }: KnownChoices,
  front: MachineState | undefined,
): string | null {
  const [area] = key.split('.')
  if (area === 'projects') return hasRun ? null : 'No run is open.'
  if (key === 'registers.slowMotion') return limitOf(front, 'slowMotion')
  if (key === 'registers.bugReport') return limitOf(front, 'timeTravel')
  if (key === 'device.mountMode') return limitOf(front, 'drives')
  if (key === 'screen.palette') return paletteLimit(value)
  if (area !== 'memory') return null
  const limit = limitOf(front, 'readMemory')
  if (limit !== null) return limit
  if (key === 'memory.space' && value === 'ram') return limitOf(front, 'ramUnderRom')
  return key === 'memory.heat' ? heatLimit(value, accessesTold, chosen('memory.space')) : null
}
