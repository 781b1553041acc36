import { rgb, type ThemeColours } from '../../../widgets/themeColours'
import { visibleText } from '../../../widgets/visibleText'
import { agentOf, cardTitle, durationOf, MEASURED, standingLooks, standingOf, type Plan } from './plan'
import { NODE } from './planLayout'
import { wrapText } from './wrapText'
import { lengthText } from '../details/parts'

type Context = CanvasRenderingContext2D

const TITLE_PX = 12
const SMALL_PX = 11
const LINE_PX = 15
const LEFT_PX = 10
const RIGHT_PX = 8
const MAX_TITLE_LINES = 2
const MAX_REMEMBERED = 4_000

/** Measured widths are kept, so that moving about is cheap. */
export class CardPainter {
  readonly #canvas: HTMLCanvasElement
  readonly #known = new Map<string, readonly string[]>()
  #family: string | undefined

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas
  }

  paint(context: Context, colours: ThemeColours, plan: Plan, node: number, now: number): void {
    const standing = standingOf(plan, node)
    const look = standingLooks[standing]
    const isOver = standing === 'done' || standing === 'skipped'
    context.textBaseline = 'alphabetic'
    this.#use(context, TITLE_PX, true)
    const width = NODE.width - LEFT_PX - RIGHT_PX
    const tasks = plan.tasks.get(node)
    const text = `${cardTitle(plan, node)}${tasks ? ` (${tasks.length})` : ''}`
    const lines = this.#lines(context, visibleText(text), width)
    context.fillStyle = rgb(isOver ? colours.muted : colours.text)
    const top = lines.length === 1 ? 21 : 17
    lines.forEach((line, at) => context.fillText(line, LEFT_PX, top + at * LINE_PX))

    const base = NODE.height - 8
    const duration = durationOf(plan, node, now)
    const time = duration === null ? '' : `${lengthText(duration)}${plan.measured.has(node) ? MEASURED : ''}`
    this.#use(context, SMALL_PX, false)
    context.fillStyle = rgb(colours.muted)
    const timeWidth = time === '' ? 0 : context.measureText(time).width
    if (time !== '') context.fillText(time, NODE.width - RIGHT_PX - timeWidth, base)
    context.fillStyle = rgb(colours[look.colour])
    const state = `${look.sign} ${look.word}`
    context.fillText(state, LEFT_PX, base)
    const agent = agentOf(plan, node)
    if (agent === '') return
    const from = LEFT_PX + context.measureText(state).width + 8
    const room = NODE.width - RIGHT_PX - from - (timeWidth > 0 ? timeWidth + 8 : 0)
    const [shown] = wrapText(visibleText(agent), room, 1, (words) => context.measureText(words).width)
    context.fillStyle = rgb(colours.muted)
    if (room > 2 * SMALL_PX && shown !== undefined) context.fillText(shown, from, base)
  }

  #lines(context: Context, text: string, width: number): readonly string[] {
    const known = this.#known.get(text)
    if (known) return known
    if (this.#known.size >= MAX_REMEMBERED) this.#known.clear()
    const lines = wrapText(text, width, MAX_TITLE_LINES, (words) => context.measureText(words).width)
    this.#known.set(text, lines)
    return lines
  }

  #use(context: Context, size: number, isBold: boolean): void {
    this.#family ??= getComputedStyle(this.#canvas).getPropertyValue('--font-ui')
    context.font = `${isBold ? '600 ' : ''}${size}px ${this.#family}`
    context.textAlign = 'left'
  }
}
