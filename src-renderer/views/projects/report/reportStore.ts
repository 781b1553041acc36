import { create } from 'zustand'
import { showView } from '../../../client/navigation'

export const useReport = create<{ readonly isShown: boolean }>(() => ({ isShown: false }))

export async function showReport(): Promise<void> {
  await showView('projects')
  useReport.setState({ isShown: true })
}

export const hideReport = (): void => useReport.setState({ isShown: false })
