import { create } from 'zustand'
import type { ActionId } from '@shared/actions'
import { showMachine } from '../client/machineControl'
import { frontMachine, useMachines } from '../client/machines'
import { showView } from '../client/navigation'
import { oneOf, setViewValue, viewValue } from '../client/viewState'
import { openShownViews, untilRendered, useLayout } from './layout'

interface Hint {
  /** A selector. */
  readonly about: string
  readonly side: 'top' | 'right' | 'bottom' | 'left'
  readonly title: string
  readonly text: string
  readonly action?: ActionId
}

export const hints: readonly Hint[] = [
  {
    about: '[data-panel="screen"] .screen-keyboard',
    side: 'right',
    title: 'A C64 is running here',
    text: 'The demo’s lower line says what to try. Click the screen, and your keys are the C64’s until you press F6.',
  },
  {
    about: '[data-panel="screen"] .sprite-strip',
    side: 'top',
    title: 'Its sprites',
    text: 'Click one: Memory goes to its data, and Registers marks its registers.',
  },
  {
    about: '[data-panel="memory"] .heat-map',
    side: 'left',
    title: 'Its memory, live',
    text: 'What changes glows. Click the map, or go to an address: 22 is the demo’s frame counter.',
    action: 'memory.goto',
  },
  {
    about: '[data-panel="machine-bar"] .step-bar',
    side: 'bottom',
    title: 'Stop time, or record it',
    text: 'Pause, step, and step back. Record, and go back to any moment in the Timeline. Drop a PRG on the window to run it.',
    action: 'machine.pause',
  },
  {
    about: '[data-panel="activity-bar"]',
    side: 'right',
    title: 'And more',
    text: 'Recordings, tasks, real machines, projects and agents each have a workspace. The command palette finds everything.',
    action: 'view.palette',
  },
]

export const placeOf = ({ about }: Hint): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>(about)].find((element) => element.checkVisibility())

/** From 0; null while no hint is shown. */
export const useTour = create<{ readonly step: number | null }>(() => ({ step: null }))

export const endTour = (): void => useTour.setState({ step: null })

/** Skips hints whose place is not visible; ends after the last. */
export function showHint(from: number): void {
  const step = hints.findIndex((hint, index) => index >= from && placeOf(hint) !== undefined)
  useTour.setState({ step: step < 0 ? null : step })
}

const SEEN_KEY = 'tour.seen'
const readSeen = oneOf(false, true)

const isAtDemo = (): boolean => useLayout.getState().current === 'machine' && useMachines.getState().front === 'builtin'

function endAwayFromDemo(): void {
  if (useTour.getState().step !== null && !isAtDemo()) endTour()
}
useLayout.subscribe(endAwayFromDemo)
useMachines.subscribe(endAwayFromDemo)

export async function startTour(): Promise<void> {
  showMachine('builtin')
  await showView('memory')
  await showView('screen')
  beginTour()
}

function beginTour(): void {
  setViewValue(SEEN_KEY, true)
  showHint(0)
}

/** Only once ever, when the built-in C64 with its demo is live and in view. */
export function offerTour(): void {
  if (viewValue(SEEN_KEY, readSeen)) return
  const begin = () => {
    if (!isAtDemo() || frontMachine()?.connection !== 'live') return
    for (const stop of stops) stop()
    void openShownViews()
      .then(untilRendered)
      .then(() => (isAtDemo() ? beginTour() : offerTour()))
  }
  const stops = [useMachines.subscribe(begin), useLayout.subscribe(begin)]
  begin()
}
