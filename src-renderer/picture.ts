/** The window with the picture alone: main says of which machine, the bridge sends it. Built apart from the main window's page. */
import { isFrameDelivery, type FrameRequest } from '@shared/contract/frames'
import type { Picture } from '@shared/contract/memory'
import type { FloatingPicture } from '@shared/contract/window'
import { BridgePort } from './frames/bridgePort'
import { ScreenCanvas } from './frames/screenCanvas'

const port = new BridgePort<FrameRequest>('picture')
let shown: FloatingPicture | undefined
let picture: Picture | undefined
let isScheduled = false

const frame = document.getElementById('picture')
const canvas = frame?.querySelector('canvas')
const painter = frame && canvas ? new ScreenCanvas(frame, canvas) : undefined

function requestDraw(): void {
  if (isScheduled) return
  isScheduled = true
  requestAnimationFrame(() => {
    isScheduled = false
    if (!shown || !picture) return
    const { colours, borders } = shown
    painter?.draw(picture, { width: innerWidth, height: innerHeight }, { colours, borders, scaling: 'fit' })
  })
}

function subscribe(): void {
  port.post({ kind: 'visible', visible: document.visibilityState === 'visible' })
  port.post({ kind: 'subscribe', machine: shown?.machine ?? null, spaces: [], picture: true })
}

port.use({
  onOpen: subscribe,
  onMessage: (message) => {
    if (!isFrameDelivery(message)) return
    if (message.frame.machine === shown?.machine && message.frame.picture) {
      picture = message.frame.picture
      requestDraw()
    }
    port.post({ kind: 'credit' })
  },
})
port.open()

window.bridgedeck.onEvent('window.floatingPicture', (next) => {
  const isOther = next.machine !== shown?.machine
  shown = next
  document.title = next.title
  frame?.setAttribute('aria-label', `Screen of ${next.title}`)
  if (isOther) {
    picture = undefined
    subscribe()
  }
  requestDraw()
})
window.bridgedeck.onEvent('bridge.state', ({ state }) => {
  if (state === 'ready') port.open()
  else port.close()
})
window.addEventListener('resize', requestDraw)
document.addEventListener('visibilitychange', subscribe)
