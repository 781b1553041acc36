import { AnimationGrab } from '@shared/graphics/animationGrab'
import { sharedSpriteColours, spriteAddresses, spriteAt, spriteLookOf, type GraphicsImage } from '@shared/graphics/grab'
import { create } from 'zustand'
import { chosenNow } from '../../client/chosen'
import { frontMachine } from '../../client/machines'
import { notify } from '../../client/messages'
import { showView } from '../../client/navigation'
import { addToSheet } from '../../client/sheet'
import { frames } from '../../frames/frames'

/** ms; PAL has 50.12 frames a second, NTSC 59.83. */
const frameMs = { pal: 1000 / 50.12, ntsc: 1000 / 59.83 }

interface Grabbing {
  /** The sprite that is watched, 0 to 7; null while none is. */
  readonly sprite: number | null
  readonly pictures: number
  readonly changes: number
}

export const useGrabbing = create<Grabbing>(() => ({ sprite: null, pictures: 0, changes: 0 }))

let grab = new AnimationGrab()
let last: GraphicsImage | null = null

/** Begins to collect what the chosen sprite shows, or keeps that as an animation. */
export function toggleGrab(): void {
  const { sprite } = useGrabbing.getState()
  if (sprite !== null) {
    useGrabbing.setState({ sprite: null })
    keepGrabbed(sprite)
    return
  }
  grab = new AnimationGrab()
  useGrabbing.setState({ sprite: Number(chosenNow('spriteBrowser.grab').slice(1)), pictures: 0, changes: 0 })
}

/** To be called for each new frame. */
export function grabFrame(image: GraphicsImage): void {
  const { sprite: n, pictures, changes } = useGrabbing.getState()
  if (n === null) return
  last = image
  const address = spriteAddresses(image)[n] ?? 0
  grab.add({ time: frames.time, sprite: spriteAt(image, address, spriteLookOf(image, n), true) })
  if (grab.pictures !== pictures || grab.changes !== changes)
    useGrabbing.setState({ pictures: grab.pictures, changes: grab.changes })
}

function keepGrabbed(n: number): void {
  if (!last || grab.pictures === 0) return
  const { sprites, frames: shown, period } = grab.result(frameMs[frontMachine()?.standard ?? 'pal'])
  const animations = [{ name: `Sprite ${n}`, frames: shown, isPingPong: false }]
  addToSheet({ kind: 'sprites', name: 'Sheet', sprites, animations, ...sharedSpriteColours(last) })
  const total = shown.reduce((sum, { ms }) => sum + ms, 0)
  const loop = period === null ? 'no loop was seen' : `a loop of ${(total / 1000).toFixed(2)} s`
  notify(`Kept ${shown.length} frames of sprite ${n}: ${loop}.`, null, {
    label: 'Show sheet',
    run: () => void showView('sheet'),
  })
}
