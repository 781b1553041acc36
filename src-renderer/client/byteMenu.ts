import type { MouseEvent } from 'react'
import { formatAddress } from '@shared/c64/address'
import { ALL_PINS, labelAt, placesIn } from '@shared/c64/banking'
import { stopOperations } from '@shared/checkpointStop'
import type { Space } from '@shared/contract/memory'
import { byteItems, type ByteTarget, type Operation } from './byteItems'
import { call } from './call'
import { setCheckpoint } from './checkpoints'
import { openContextMenu, type MenuEntry, type MenuItem } from './contextMenu'
import { namesNow } from './labels'
import { runTo } from './machineControl'
import { frontMachine, limitOf, useMachines } from './machines'
import { moveCursorTo, showByteHistory, showInMemory } from './memoryCursor'
import { attempt, notify } from './messages'
import { STOP_MESSAGES } from './stopMessages'
import { showView } from './navigation'

const WATCH_MS = 60_000
const WATCH_RATE = 10

export function openByteMenu(
  event: MouseEvent,
  target: ByteTarget,
  {
    extra = [],
    place,
    title = [formatAddress(target.address), nameOf(target) ?? ''].join(' ').trim(),
  }: {
    readonly extra?: readonly MenuEntry[]
    readonly title?: string
    readonly place?: { readonly x: number; readonly y: number } | undefined
  } = {},
): void {
  const [first, ...others] = itemsOfByte(target)
  const ofByte = first ? [{ ...first, isFirstOfGroup: extra.length > 0 }, ...others] : []
  openContextMenu(event, title, [...extra, ...ofByte], place)
}

function nameOf({ address, space }: ByteTarget): string | undefined {
  const names = namesNow()
  return (space === 'cpu' ? names.at(address) : labelAt(placesIn(space, ALL_PINS), address, names))?.name
}

export const runToHere = (address: number): MenuItem => ({
  label: 'Run to here',
  why: limitOf(frontMachine(), 'step'),
  run: () => attempt(() => runTo(address)),
})

export const itemsOfByte = (target: ByteTarget): MenuItem[] => byteItems(target, frontMachine(), actionsOf(target))

const actionsOf = ({ address, space }: ByteTarget) => ({
  goTo: (to: number) => showInMemory(to, to === address ? space : undefined),
  showHistory: () => showByteHistory(address),
  goToWrite: () => attempt(() => call('timeTravel.toWrite', { machine: useMachines.getState().front, address })),
  breakWhen: (operation: Operation) => attempt(() => breakWhen(address, operation)),
  watch: () => attempt(() => watch(address, space)),
  plot: () => plot(address),
  copy: (text: string) => attempt(() => call('window.copyText', { text })),
})

async function breakWhen(address: number, operation: Operation): Promise<void> {
  await setCheckpoint(address, operation)
  const when = stopOperations.find((each) => each.operation === operation)?.label ?? ''
  notify(
    `Will stop when ${formatAddress(address)} ${when}.`,
    null,
    {
      label: 'Show checkpoints',
      run: () => void showView('registers'),
    },
    STOP_MESSAGES,
  )
}

async function watch(address: number, space: Space): Promise<void> {
  await call('tasks.startGranted', {
    operation: 'sample',
    machine: useMachines.getState().front,
    type: 'foreground',
    args: { ranges: [formatAddress(address)], space, rate: WATCH_RATE, durationMs: WATCH_MS },
    files: {},
  })
  notify(`Watching ${formatAddress(address)} for 1 min.`, null, {
    label: 'Show task',
    run: () => void showView('tasks'),
  })
}

function plot(address: number): void {
  moveCursorTo(address)
  void showView('timeline')
}
