import { create } from 'zustand'
import type { MachineState } from '@shared/contract/machine'

interface Notice {
  readonly machine: string
  readonly text: string
}

interface Notices {
  readonly own: readonly Notice[]
  readonly dismissed: readonly Notice[]
}

export const useNotices = create<Notices>(() => ({ own: [], dismissed: [] }))

const isOf = (machine: string, text: string) => (notice: Notice) => notice.machine === machine && notice.text === text

export function openNotices({ machine, notices, program }: MachineState, { own, dismissed }: Notices): string[] {
  const ours = program === null ? own.filter((notice) => notice.machine === machine).map(({ text }) => text) : []
  return [...ours, ...notices].filter((text) => !dismissed.some(isOf(machine, text)))
}

export function dismissNotice(machine: string, text: string): void {
  useNotices.setState(({ own, dismissed }) => ({
    own: own.filter((notice) => !isOf(machine, text)(notice)),
    dismissed: [...dismissed, { machine, text }],
  }))
}

/** A new bridge does not know which programs the one before ran and watched. */
export function noteForgottenPrograms(before: readonly MachineState[], now: readonly MachineState[]): void {
  const time = new Date().toTimeString().slice(0, 8)
  const forgotten = before.flatMap(({ machine, program }) => {
    const isKnown = now.some((state) => state.machine === machine && state.program !== null)
    if (program === null || isKnown) return []
    const loss = program.watched ? 'is no longer reloaded when it is rebuilt' : 'may no longer run'
    return [
      {
        machine,
        text: `The part of Bridgedeck that talks to machines restarted at ${time}; ${program.name} ${loss}. Load it again.`,
      },
    ]
  })
  useNotices.setState(({ own }) => ({
    own: [...own.filter(({ machine }) => !forgotten.some((notice) => notice.machine === machine)), ...forgotten],
  }))
}
