import { create } from 'zustand'
import type { FloatingPicture } from '@shared/contract/window'
import { call } from '../../client/call'
import { onEvent } from '../../client/events'
import { frontMachine, useMachines } from '../../client/machines'
import { reportError } from '../../client/messages'
import { onViewState } from '../../client/viewState'
import { frames } from '../../frames/frames'
import { usePlayback } from '../../frames/shownMoment'
import { currentBorders, currentColours, currentPixelAspect } from '../../frames/screenOptions'
import { preciseTime } from '../../widgets/times'

export const useFloating = create<{ readonly floating: boolean }>(() => ({ floating: false }))

function frontPicture(): FloatingPicture {
  const { front } = useMachines.getState()
  const { shown } = usePlayback.getState()
  return {
    machine: front,
    title: frontMachine()?.title ?? front,
    colours: [...currentColours()],
    borders: currentBorders(),
    aspect: currentPixelAspect(),
    moment: shown && { text: `Recorded ${preciseTime(shown.time)}`, picture: frames.picture },
  }
}

/** JSON without the pixels. */
let sent = ''

async function send(picture: FloatingPicture | null): Promise<void> {
  const text = JSON.stringify(picture && { ...picture, moment: picture.moment?.text })
  if (text === sent) return
  sent = text
  await call('window.floatPicture', { picture })
}

export async function toggleFloating(): Promise<void> {
  const floating = !useFloating.getState().floating
  await send(floating ? frontPicture() : null)
  useFloating.setState({ floating })
}

export function followFloating(): void {
  const update = () => {
    if (useFloating.getState().floating) send(frontPicture()).catch(reportError)
  }
  useMachines.subscribe(update)
  usePlayback.subscribe(update)
  onViewState(update)
  onEvent('window.floatingClosed', () => {
    sent = ''
    useFloating.setState({ floating: false })
  })
}
