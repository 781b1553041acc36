import { contextBridge, ipcRenderer, webUtils } from 'electron'
import type { EventName, Payload } from '@shared/contract/contract'
import type { Result } from '@shared/contract/errors'
import { eventNames, pageCommandNames } from '@shared/contract/names'
import { eventChannel, MAX_DROPPED_FILES, portChannel, requestChannel } from '@shared/contract/pageChannels'
import type { PageRequest } from '@shared/contract/pageRequest'
import type { Plane } from '@shared/contract/ports'

const request = (message: PageRequest): Promise<Result<unknown>> => ipcRenderer.invoke(requestChannel, message)

/** `{ machine: { list, connect, … }, memory: { … }, … }` */
function pageCommands() {
  const areas: Record<string, Record<string, (input: unknown, callId?: string) => Promise<Result<unknown>>>> = {}
  for (const command of pageCommandNames) {
    const [area, verb] = command.split('.')
    if (area === undefined || verb === undefined) continue
    areas[area] ??= {}
    areas[area][verb] = (input, callId) =>
      request({ kind: 'call', command, input, ...(callId === undefined ? {} : { callId }) })
  }
  return areas
}

const isEventName = (name: unknown): name is EventName => typeof name === 'string' && eventNames.includes(name)

const eventListeners = new Map<EventName, Set<(payload: unknown) => void>>()

ipcRenderer.on(eventChannel, (_event, { event, payload }: { event: EventName; payload: Payload<EventName> }) => {
  for (const listener of eventListeners.get(event) ?? []) listener(payload)
})

function onEvent(name: unknown, callback: (payload: unknown) => void): () => void {
  if (!isEventName(name)) throw new Error('There is no such event.')
  const listeners = eventListeners.get(name) ?? new Set()
  eventListeners.set(name, listeners)
  // One entry per call: the same function given twice is called twice, and removed one by one.
  const listener = (payload: unknown) => callback(payload)
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const wantedPorts = new Set<string>()

function connectPort(plane: Plane, nonce: string): Promise<Result<unknown>> {
  wantedPorts.add(nonce)
  return request({ kind: 'connectPort', plane, nonce })
}

ipcRenderer.on(portChannel, ({ ports }, nonce: string) => {
  if (wantedPorts.delete(nonce)) window.postMessage(nonce, location.origin, ports)
})

contextBridge.exposeInMainWorld('bridgedeck', {
  ...pageCommands(),
  cancel: (callId: string) => void request({ kind: 'cancel', callId }),
  onEvent,
  connectPort,
})

// Main is not asked before about:blank and such. A page cannot take off a listener of this world. Downloads are refused by main.
navigation.addEventListener('navigate', (event) => {
  const { destination, downloadRequest } = event
  if (downloadRequest === null && !destination.url.startsWith(`${location.origin}/`)) event.preventDefault()
})

// The paths of dropped files go to main alone; the page is told a token for each by the event `window.filesDropped`.
window.addEventListener('dragover', (event) => event.preventDefault())
window.addEventListener('drop', (event) => {
  event.preventDefault()
  const paths = Array.from(event.dataTransfer?.files ?? [], pathOf).slice(0, MAX_DROPPED_FILES)
  if (event.isTrusted && paths.length > 0) void request({ kind: 'filesDropped', paths })
})

/** Electron before 32 has the path as a property of the file, and before 29 no `webUtils`. */
function pathOf(file: File & { path?: string }): string {
  return file.path ?? webUtils.getPathForFile(file)
}
