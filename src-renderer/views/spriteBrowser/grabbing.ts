import { AnimationGrab } from '@shared/graphics/animationGrab'
import type { VideoStandard } from '@shared/contract/machine'
import { counted } from '@shared/countedText'
import { sharedSpriteColours, spriteAddresses, spriteAt, spriteLookOf, type GraphicsImage } from '@shared/graphics/grab'
import { create } from 'zustand'
import { chosenNow } from '../../client/chosen'
import { frontMachine, useMachines } from '../../client/machines'
import { attempt, notify } from '../../client/messages'
import { showView } from '../../client/navigation'
import { addToSheet } from '../../client/sheet'
import { frames } from '../../frames/frames'

/** ms; PAL has 50.12 frames a second, NTSC 59.83. */
const frameMs = { pal: 1000 / 50.12, ntsc: 1000 / 59.83 }

interface Grabbing {
  /** The watched sprite, 0 to 7; null for none. */
  readonly sprite: number | null
  readonly pictures: number
  readonly changes: number
}

export const useGrabbing = create<Grabbing>(() => ({ sprite: null, pictures: 0, changes: 0 }))

let grab = new AnimationGrab()
let last: GraphicsImage | null = null
let standard: VideoStandard = 'pal'
let feeders = 0

/**
 * Call it while {@link grabFrame} is being called.
 * @returns what ends that
 */
export function feedGrab(): () => void {
  feeders++
  return () => {
    feeders--
  }
}

export async function toggleGrab(): Promise<void> {
  const { sprite } = useGrabbing.getState()
  if (sprite !== null) {
    await endGrab(sprite)
    return
  }
  if (feeders === 0) await showView('spriteBrowser')
  grab = new AnimationGrab()
  last = null
  standard = frontMachine()?.standard ?? 'pal'
  useGrabbing.setState({ sprite: Number(chosenNow('spriteBrowser.grab').slice(1)), pictures: 0, changes: 0 })
}

useMachines.subscribe(({ front }, before) => {
  const { sprite } = useGrabbing.getState()
  if (front !== before.front && sprite !== null) attempt(() => endGrab(sprite))
})

export function grabFrame(image: GraphicsImage): void {
  const { sprite: n, pictures, changes } = useGrabbing.getState()
  if (n === null) return
  last = image
  const address = spriteAddresses(image)[n] ?? 0
  grab.add({ time: frames.time, sprite: spriteAt(image, address, spriteLookOf(image, n), true) })
  if (grab.pictures !== pictures || grab.changes !== changes)
    useGrabbing.setState({ pictures: grab.pictures, changes: grab.changes })
  if (grab.isFull) attempt(() => endGrab(n))
}

function endGrab(sprite: number): Promise<void> {
  useGrabbing.setState({ sprite: null })
  keepGrabbed(sprite)
  return Promise.resolve()
}

function keepGrabbed(n: number): void {
  if (!last || grab.pictures === 0) {
    notify('Nothing was grabbed: no frame of the machine came meanwhile.', null, null, 'grab')
    return
  }
  const { sprites, frames: shown, period } = grab.result(frameMs[standard])
  const animations = [{ name: `Sprite ${n}`, frames: shown, isPingPong: false }]
  addToSheet({ kind: 'sprites', name: 'Sheet', sprites, animations, ...sharedSpriteColours(last) })
  const total = shown.reduce((sum, { ms }) => sum + ms, 0)
  const loop = period === null ? 'no loop was seen' : `a loop of ${(total / 1000).toFixed(2)} s`
  notify(`Kept ${counted(shown.length, 'frame')} of sprite ${n}: ${loop}.`, null, {
    label: 'Show sheet',
    run: () => void showView('sheet'),
  })
}
