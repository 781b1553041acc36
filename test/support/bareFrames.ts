/** The bare counterpart of the frames: the same bytes, as often, from a utility process to an empty page over one port. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { launchApp } from './launchApp'

const main = `const { app, BrowserWindow, MessageChannelMain, utilityProcess } = require('electron')
const { join } = require('node:path')
app.setPath('userData', process.env.BRIDGEDECK_DATA)
if (Number(process.versions.napi) < 10) app.commandLine.appendSwitch('disable-gpu')
app.whenReady().then(async () => {
  const window = new BrowserWindow({ webPreferences: { preload: join(__dirname, 'preload.cjs') } })
  await window.loadFile(join(__dirname, 'page.html'))
  const { port1, port2 } = new MessageChannelMain()
  utilityProcess.fork(join(__dirname, 'sender.cjs')).postMessage(null, [port1])
  window.webContents.postMessage('port', null, [port2])
})
`

const preload = `require('electron').ipcRenderer.on('port', ({ ports }) => window.postMessage('port', '*', ports))
`

const page = `<script>
window.latencies = []
window.onmessage = ({ ports: [port] }) => {
  port.onmessage = ({ data }) => latencies.push(performance.timeOrigin + performance.now() - data.time)
}
</script>
`

/** 64 KiB every 20 ms, in buffers of their own as the bridge's are. */
const sender = `process.parentPort.once('message', ({ ports: [port] }) => {
  setInterval(() => port.postMessage({ time: performance.timeOrigin + performance.now(), bytes: new Uint8Array(0x10000) }), 20)
})
`

/** ms from sending a message to the page's having it, for each message of that time. */
export async function bareFrames(warmUpMs: number, durationMs: number): Promise<number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bridgedeck-bench-'))
  const files = { 'main.cjs': main, 'preload.cjs': preload, 'page.html': page, 'sender.cjs': sender }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  const { page: window, close } = await launchApp({ entry: join(folder, 'main.cjs') })
  try {
    await delay(warmUpMs)
    await window.evaluate('latencies.length = 0')
    await delay(durationMs)
    return await window.evaluate<number[]>('latencies')
  } finally {
    await close()
    await rm(folder, { recursive: true })
  }
}
