import { createRoot } from 'react-dom/client'
import { showTheme, themeOfAddress } from '../client/theme'
import { Gallery } from './Gallery'

/** The page's mark is set, so that a screenshot waits for no machine. */
export function showGallery(root: HTMLElement, parameters: URLSearchParams): void {
  showTheme(themeOfAddress(parameters) ?? 'system')
  createRoot(root).render(<Gallery />)
  document.documentElement.dataset['live'] = parameters.get('machine') ?? ''
}
