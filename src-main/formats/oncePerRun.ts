import type { RunFiles } from './format'

export function oncePerRun<Opened>(open: (files: RunFiles) => Opened): (files: RunFiles) => Opened {
  const opened = new WeakMap<RunFiles, { readonly value: Opened }>()
  return (files) => {
    const known = opened.get(files)
    if (known) return known.value
    const value = open(files)
    opened.set(files, { value })
    return value
  }
}
