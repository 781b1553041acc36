import { create } from 'zustand'
import { showView } from '../../../client/navigation'

interface ReportState {
  /** In place of the lists of Projects. */
  readonly isShown: boolean
  /** The person is back from an absence, and has not seen yet what came of it. */
  readonly isDue: boolean
}

export const useReport = create<ReportState>(() => ({ isShown: false, isDue: false }))

export async function showReport(): Promise<void> {
  await showView('projects')
  useReport.setState({ isShown: true, isDue: false })
}

/** Also where something else was asked for: it is not covered. */
export const hideReport = (): void => useReport.setState({ isShown: false, isDue: false })
