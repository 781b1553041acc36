import { ipcMain, type WebContents, type WebFrameMain } from 'electron'
import { eventTable, isEventName, type EventName, type Payload } from '@shared/contract/contract'
import { eventChannel, requestChannel } from '@shared/contract/pageChannels'
import { noticeWindowEvents } from '@shared/contract/notices'
import { windowEvents } from '@shared/contract/window'
import { parseWithoutMisfits } from '@shared/contract/withoutMisfits'
import type { Router } from './router'

export function listenToPage(router: Router<WebFrameMain>): void {
  // The frame is read immediately, as it is gone after a navigation.
  ipcMain.handle(requestChannel, ({ senderFrame }, request: unknown) => router.handle(senderFrame, request))
}

export function sendEvent<Name extends EventName>(contents: WebContents, event: Name, payload: Payload<Name>): void {
  send(contents, event, payload)
}

export function forwardEvent(
  contents: WebContents,
  event: string,
  payload: unknown,
  log: { warn(message: string, cause?: unknown): void },
): void {
  if (!isEventName(event) || event in windowEvents || event in noticeWindowEvents) {
    log.warn(`the bridge sent an event that does not belong to it: ${event}`)
    return
  }
  try {
    const { value, left } = parseWithoutMisfits<unknown>(eventTable[event], payload)
    if (left.length > 0) log.warn(`of ${event}, what does not fit was left out: ${left.join('; ')}`)
    send(contents, event, value)
  } catch (error) {
    log.warn(`the bridge sent ${event} with an invalid payload`, error)
  }
}

function send(contents: WebContents, event: EventName, payload: unknown): void {
  if (!contents.isDestroyed()) contents.send(eventChannel, { event, payload })
}
