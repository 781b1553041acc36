/** Built apart from the main window's page. */
import { isFrameDelivery, type FrameRequest } from '@shared/contract/frames'
import type { Picture } from '@shared/contract/memory'
import type { FloatingPicture } from '@shared/contract/window'
import { BridgePort } from './frames/bridgePort'
import { ScreenCanvas } from './frames/screenCanvas'

const port = new BridgePort<FrameRequest>('picture')
let shown: FloatingPicture | undefined
let live: Picture | undefined
let isScheduled = false

const frame = document.getElementById('picture')
const canvas = frame?.querySelector('canvas')
const label = document.getElementById('moment')
const painter = frame && canvas ? new ScreenCanvas(frame, canvas) : undefined

function requestDraw(): void {
  if (isScheduled) return
  isScheduled = true
  requestAnimationFrame(() => {
    isScheduled = false
    if (!shown) return
    const { colours, borders, aspect, moment } = shown
    const picture = moment ? moment.picture : live
    if (frame) frame.hidden = !picture
    if (!picture) return
    painter?.draw(picture, { width: innerWidth, height: innerHeight }, { colours, borders, aspect, scaling: 'fit' })
  })
}

function subscribe(): void {
  port.post({ kind: 'visible', visible: document.visibilityState === 'visible' })
  const machine = shown?.moment ? null : (shown?.machine ?? null)
  port.post({ kind: 'subscribe', machine, spaces: [], picture: true })
}

port.use({
  onOpen: subscribe,
  onMessage: (message) => {
    if (!isFrameDelivery(message)) return
    if (message.frame.machine === shown?.machine && message.frame.picture) {
      live = message.frame.picture
      requestDraw()
    }
    port.post({ kind: 'credit' })
  },
})
port.open()

window.bridgedeck.onEvent('window.floatingPicture', (next) => {
  const before = shown
  shown = next
  const about = next.moment?.text ?? ''
  document.title = about === '' ? next.title : `${next.title} – ${about}`
  frame?.setAttribute('aria-label', `Screen of ${next.title}`)
  if (label) label.textContent = about
  if (next.machine !== before?.machine) live = undefined
  if (next.machine !== before?.machine || (next.moment === null) !== (before.moment === null)) subscribe()
  requestDraw()
})
window.bridgedeck.onEvent('bridge.state', ({ state }) => {
  if (state === 'ready') port.open()
  else port.close()
})
window.addEventListener('resize', requestDraw)
document.addEventListener('visibilitychange', subscribe)
