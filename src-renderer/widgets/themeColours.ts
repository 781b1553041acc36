import { useSyncExternalStore } from 'react'
import { hexColour } from './hexColour'

export type ColourName =
  | ('bg' | 'panel' | 'raised' | 'line' | 'line-strong' | 'text' | 'muted')
  | ('accent' | 'accent-soft' | 'ok' | 'ok-soft' | 'warn' | 'bad' | 'bad-soft' | 'changed' | 'changed-soft')

/** 0xRRGGBB. The same object until the theme changes. */
export type ThemeColours = Readonly<Record<ColourName, number>>

let cached: ThemeColours | undefined

function readColours(): ThemeColours {
  const style = getComputedStyle(document.documentElement)
  const read = (name: ColourName): number => hexColour(style.getPropertyValue(`--${name}`))
  return {
    bg: read('bg'),
    panel: read('panel'),
    raised: read('raised'),
    line: read('line'),
    'line-strong': read('line-strong'),
    text: read('text'),
    muted: read('muted'),
    accent: read('accent'),
    'accent-soft': read('accent-soft'),
    ok: read('ok'),
    'ok-soft': read('ok-soft'),
    warn: read('warn'),
    bad: read('bad'),
    'bad-soft': read('bad-soft'),
    changed: read('changed'),
    'changed-soft': read('changed-soft'),
  }
}

export function themeColours(): ThemeColours {
  cached ??= readColours()
  return cached
}

export const rgb = (colour: number, alpha = 1): string =>
  `rgb(${colour >> 16} ${(colour >> 8) & 0xff} ${colour & 0xff} / ${alpha})`

const listeners = new Set<() => void>()

export function onThemeChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useThemeColours = (): ThemeColours => useSyncExternalStore(onThemeChange, themeColours)

new MutationObserver(() => {
  cached = undefined
  for (const listener of listeners) listener()
}).observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
