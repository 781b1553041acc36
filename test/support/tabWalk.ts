/** Walks the window with Tab as somebody without a mouse does. */
import type { Page } from 'playwright'
import { pressNative } from '../e2e/support'
import type { RunningApp } from './launchApp'

interface Stop {
  /** The same for the same element, and for no other. */
  readonly id: number
  readonly name: string
  readonly isBody: boolean
  /** The C64's screen: all keys but F6 are the program's. */
  readonly takesKeys: boolean
}

interface Control {
  readonly id: number
  readonly name: string
  /** Not only arrow keys come to it. */
  readonly isInOrder: boolean
}

declare global {
  interface Window {
    tabWalk: {
      stop(): Stop
      controls(): Control[]
      /** Of those that the focus has left: the ones that looked the same with it. */
      unseen(): string[]
    }
  }
}

export interface Walk {
  /** Controls that neither Tab nor, in a group with one place in the order of Tab, arrow keys come to. */
  readonly missed: readonly string[]
  /** Those whose focus nothing shows. */
  readonly unseen: readonly string[]
  /** Those that Tab does not leave. */
  readonly holds: readonly string[]
}

/**
 * Goes once around forwards, and backwards for what lies behind the screen.
 * @param within a selector: what Tab is to come to lies there
 */
export async function walkWithTab(running: RunningApp, within = 'body'): Promise<Walk> {
  const { page } = running
  await page.evaluate(install, within)
  const visited = new Set<number>()
  const holds = new Set<string>()
  const walk = async (): Promise<string[]> => {
    for (const isBack of [false, true]) await goAround(running, isBack, visited, holds)
    const controls = await page.evaluate(() => window.tabWalk.controls())
    return controls.filter(({ id, isInOrder }) => !isInOrder || !visited.has(id)).map(({ name }) => name)
  }
  // What came after Tab had passed its place is met the second time.
  const missed = (await walk()).length === 0 ? [] : await walk()
  return { missed, unseen: await page.evaluate(() => window.tabWalk.unseen()), holds: [...holds] }
}

async function goAround(running: RunningApp, isBack: boolean, visited: Set<number>, holds: Set<string>): Promise<void> {
  const { page } = running
  const here = new Set<number>()
  const most = 2 * (await page.evaluate(() => window.tabWalk.controls().length)) + 20
  for (let at = await stop(page), step = 0; step < most; step++) {
    if (at.takesKeys) await leaveScreen(running, at, isBack)
    else await page.keyboard.press(isBack ? 'Shift+Tab' : 'Tab')
    const next = await stop(page)
    if (next.id === at.id) holds.add(next.name)
    at = next
    if (at.isBody) continue
    if (here.has(at.id)) return
    here.add(at.id)
    visited.add(at.id)
  }
}

/** By F6, which goes by way of the menu, in another process. */
async function leaveScreen(running: RunningApp, { id }: Stop, isBack: boolean): Promise<void> {
  await pressNative(running, 'F6', ...(isBack ? (['shift'] as const) : []))
  await running.page.waitForFunction((left) => window.tabWalk.stop().id !== left, id)
}

const stop = (page: Page) => page.evaluate(() => window.tabWalk.stop())

/** In the page. */
function install(within: string): void {
  const CONTROLS = 'button, input, select, textarea, a[href], summary, [tabindex="0"]'
  const GROUPS = '[role=toolbar], [role=group], [role=radiogroup], [role=tablist], [role=listbox], [role=grid], nav'
  const ids = new WeakMap<Element, number>()
  const names = new Map<number, string>()
  const idOf = (element: Element): number => {
    const id = ids.get(element) ?? names.size
    ids.set(element, id)
    names.set(id, nameOf(element))
    return id
  }
  const nameOf = (element: Element): string => {
    const panel = element.closest<HTMLElement>('[data-panel]')?.dataset['panel'] ?? ''
    const text = element.getAttribute('aria-label') ?? element.closest('label')?.textContent ?? element.textContent
    return `${panel} ${element.tagName.toLowerCase()}.${element.className} “${text.trim().slice(0, 60)}”`
  }

  /** How each element that may show the focus of one looks. */
  const looksOf = (element: Element): Map<Element, string> => {
    const places = [element, element.closest('label'), element.parentElement, element.nextElementSibling]
    return new Map(places.filter((place) => place !== null).map((place) => [place, lookOf(place)]))
  }
  const lookOf = (element: Element): string =>
    [undefined, '::before', '::after']
      .map((part) => {
        const { boxShadow, outline, borderColor, content } = getComputedStyle(element, part)
        return part === undefined || content !== 'none' ? `${boxShadow} ${outline} ${borderColor}` : ''
      })
      .join()
  let last: { readonly element: Element; readonly looks: Map<Element, string> } | null = null
  const left = new Set<number>()
  const seen = new Set<number>()
  const compareLast = (focused: Element): void => {
    if (last === null || last.element === focused || last.element === document.body) return
    const id = idOf(last.element)
    left.add(id)
    // The next one's look changes by its own focus.
    if ([...last.looks].some(([place, look]) => place !== focused && lookOf(place) !== look)) seen.add(id)
  }

  // Of radio buttons with one name Tab comes to the chosen one, or to the first.
  const isOtherRadio = (element: Element): boolean => {
    if (!(element instanceof HTMLInputElement) || element.type !== 'radio' || element.name === '') return false
    const alike = [...document.querySelectorAll<HTMLInputElement>('input[type=radio]')].filter(
      ({ name, form }) => name === element.name && form === element.form,
    )
    return element !== (alike.find(({ checked }) => checked) ?? alike[0])
  }
  window.tabWalk = {
    stop: () => {
      const element = document.activeElement ?? document.body
      compareLast(element)
      last = { element, looks: looksOf(element) }
      return {
        id: idOf(element),
        name: nameOf(element),
        isBody: element === document.body,
        takesKeys: element.matches('[data-takes-keys]'),
      }
    },
    controls: () =>
      [...document.querySelectorAll<HTMLElement>(`${within} :is(${CONTROLS})`)]
        .filter((element) => element.checkVisibility() && !element.matches(':disabled') && !isOtherRadio(element))
        .filter((element) => element.tabIndex >= 0 || element.closest(GROUPS) === null)
        // A group that hands the focus on to one of its parts.
        .filter((element) => !element.matches('[role=group], [role=radiogroup]'))
        .map((element) => ({ id: idOf(element), name: nameOf(element), isInOrder: element.tabIndex >= 0 })),
    unseen: () => [...left].filter((id) => !seen.has(id)).map((id) => names.get(id) ?? ''),
  }
}
