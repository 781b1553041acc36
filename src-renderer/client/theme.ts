import { create } from 'zustand'
import { themes, type Theme } from '@shared/contract/window'
import { call } from './call'
import { attempt } from './messages'

/** `system` follows the desktop. */
export const useTheme = create<{ readonly theme: Theme }>(() => ({ theme: 'system' }))

const systemIsDark = matchMedia('(prefers-color-scheme: dark)')

function paint(): void {
  const { theme } = useTheme.getState()
  document.documentElement.dataset['theme'] = theme === 'system' ? (systemIsDark.matches ? 'dark' : 'light') : theme
}

systemIsDark.addEventListener('change', paint)
useTheme.subscribe(paint)

export const showTheme = (theme: Theme): void => useTheme.setState({ theme })

export function chooseTheme(theme: Theme): void {
  showTheme(theme)
  attempt(() => call('window.remember', { theme }))
}

/** As `?theme=dark`. */
export const themeOfAddress = (parameters: URLSearchParams): Theme | undefined =>
  themes.find((theme) => theme === parameters.get('theme'))
