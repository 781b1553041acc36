import { create } from 'zustand'
import type { Payload } from '@shared/contract/contract'
import type { ExportRequest } from '@shared/contract/recorder'
import { call } from '../../client/call'
import { attempt } from '../../client/messages'
import { notifySaved } from '../../client/savedFile'

interface Exporting {
  readonly recording: string
  readonly percent: number | null
  readonly cancel: () => void
}

export const useExporting = create<{ readonly exporting: Exporting | null }>(() => ({ exporting: null }))

export function exportAs(recording: string, request: ExportRequest): void {
  if (useExporting.getState().exporting) return
  const controller = new AbortController()
  useExporting.setState({ exporting: { recording, percent: null, cancel: () => controller.abort() } })
  attempt(async () => {
    try {
      const { saved, damages } = await call('recorder.export', { recording, request }, { signal: controller.signal })
      notifySaved(saved, damages.length === 0 ? '' : 'Damaged parts of the recording were left out.')
    } finally {
      useExporting.setState({ exporting: null })
    }
  })
}

export const receiveExported = ({ recording, percent }: Payload<'recorder.exported'>): void =>
  useExporting.setState(({ exporting }) =>
    exporting?.recording === recording ? { exporting: { ...exporting, percent } } : {},
  )
