import { create } from 'zustand'
import { showView } from '../../../client/navigation'

interface ReportState {
  readonly isShown: boolean
  readonly isDue: boolean
}

export const useReport = create<ReportState>(() => ({ isShown: false, isDue: false }))

export async function showReport(): Promise<void> {
  await showView('projects')
  useReport.setState({ isShown: true, isDue: false })
}

/** Also hidden where something else was asked for, so that it is not covered. */
export const hideReport = (): void => useReport.setState({ isShown: false, isDue: false })
