/** What moves by itself in each workspace while frames come, as Chromium counts it. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright'
import { workspaceNamed, workspaceNames } from '@shared/workspaces'
import { launchApp, untilLive } from '../support/launchApp'
import type { BenchOptions, Row } from './row'

export default async function layoutShift({ minutes = 1 }: BenchOptions): Promise<Row[]> {
  const { page, close } = await launchApp({ args: ['--size', '1800x1000'] })
  try {
    await untilLive(page)
    const rows: Row[] = []
    for (const name of workspaceNames) {
      const { title } = workspaceNamed(name)
      await page.locator(`.activity-bar [aria-label^="${title}"]`).click()
      await page.locator(`[data-workspace="${name}"][data-current="true"] .view > *`).first().waitFor()
      const shifts = await shiftsOf(page, minutes * 60_000)
      const value = shifts.reduce((sum, shift) => sum + shift.value, 0)
      rows.push({
        name: `layout shift in ${minutes} min of frames, ${title}`,
        value,
        unit: '',
        target: '0',
        met: value === 0,
        ...(shifts.length === 0 ? {} : { note: [...new Set(shifts.flatMap(({ moved }) => moved))].join(', ') }),
      })
    }
    return rows
  } finally {
    await close()
  }
}

interface Shift {
  readonly value: number
  /** Panels and classes of what moved. */
  readonly moved: readonly string[]
}

/** From now on; what came with the workspace itself is no part of it. */
async function shiftsOf(page: Page, duration: number): Promise<readonly Shift[]> {
  const collected = await page.evaluateHandle(() => {
    const shifts: Shift[] = []
    const nameOf = (node: Node | undefined) => {
      const element = node instanceof Element ? node : node?.parentElement
      const panel = element?.closest<HTMLElement>('[data-panel]')?.dataset['panel'] ?? 'window'
      return `${panel} ${element?.tagName.toLowerCase() ?? ''}.${element?.className ?? ''}`
    }
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput, sources } = entry as LayoutShift
        if (!hadRecentInput) shifts.push({ value, moved: sources.map(({ node }) => nameOf(node)) })
      }
    })
    observer.observe({ type: 'layout-shift' })
    return shifts
  })
  await wait(duration)
  return collected.jsonValue()
}

/** https://wicg.github.io/layout-instability/; not in TypeScript's library. */
interface LayoutShift extends PerformanceEntry {
  readonly value: number
  /** Within half a second after a click or key. */
  readonly hadRecentInput: boolean
  readonly sources: readonly { readonly node?: Node }[]
}
