import { counted } from '../../countedText'
import { escapeHtml } from '../../escapeHtml'
import type { ProfileBlock } from './profileReport'

const MIN_SHARE = 0.0005
const ROW_HEIGHT = 20
const PRECISION = 4

interface PlacedBlock {
  readonly block: ProfileBlock
  readonly depth: number
  readonly left: number
  readonly width: number
}

export function flameGraph(root: ProfileBlock, title: string): string {
  const placed = placeBlocks(root)
  const depth = Math.max(...placed.map((each) => each.depth)) + 1
  const cycles = Math.max(1, root.cycles)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title>
<style>
:root { color-scheme: light dark; font: 12px/1.4 system-ui, sans-serif; }
body { margin: 16px; }
h1 { font-size: 16px; margin: 0 0 4px; }
p { margin: 0 0 12px; }
#graph { position: relative; height: ${depth * ROW_HEIGHT}px; overflow: hidden; }
button { position: absolute; box-sizing: border-box; height: ${ROW_HEIGHT - 1}px; padding: 0 4px; border: 0; border-left: 1px solid Canvas;
  overflow: hidden; white-space: nowrap; text-align: left; font: inherit; color: #1c1c1c; cursor: pointer; }
button:focus-visible { outline: 2px solid CanvasText; outline-offset: -2px; }
</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
<p id="detail">Click a block to widen it; the lowest one shows everything again.</p>
<div id="graph">
${placed.map((each) => blockHtml(each, depth, cycles)).join('\n')}
</div>
<script>
const detail = document.getElementById('detail')
const blocks = [...document.querySelectorAll('button')]
const place = (block) => ({ left: Number(block.dataset.left), width: Number(block.dataset.width) })
const tell = (event) => { if (event.target.title) detail.textContent = event.target.title }
const widen = ({ target }) => {
  if (!target.dataset.left) return
  const shown = place(target)
  for (const block of blocks) {
    const { left, width } = place(block)
    const from = Math.max(0, (left - shown.left) / shown.width)
    const to = Math.min(1, (left + width - shown.left) / shown.width)
    block.style.left = from * 100 + '%'
    block.style.width = Math.max(0, to - from) * 100 + '%'
    block.hidden = to - from < ${MIN_SHARE}
  }
}
const graph = document.getElementById('graph')
graph.addEventListener('click', widen)
graph.addEventListener('mouseover', tell)
graph.addEventListener('focusin', tell)
</script>
</body>
</html>
`
}

function placeBlocks(root: ProfileBlock): PlacedBlock[] {
  const whole = Math.max(1, root.cycles)
  const placed: PlacedBlock[] = []
  const place = (block: ProfileBlock, depth: number, from: number): void => {
    placed.push({ block, depth, left: from / whole, width: block.cycles / whole })
    let next = from
    for (const child of block.children) {
      if (child.cycles / whole >= MIN_SHARE) place(child, depth + 1, next)
      next += child.cycles
    }
  }
  place(root, 0, 0)
  return placed
}

function blockHtml({ block, depth, left, width }: PlacedBlock, depths: number, whole: number): string {
  const name = escapeHtml(block.name)
  const share = ((100 * block.cycles) / whole).toFixed(2)
  const style = [
    `left:${(left * 100).toFixed(PRECISION)}%`,
    `width:${(width * 100).toFixed(PRECISION)}%`,
    `top:${(depths - 1 - depth) * ROW_HEIGHT}px`,
    `background:hsl(${hueOf(block.name)} 70% 72%)`,
  ].join(';')
  const data = `data-left="${left.toFixed(PRECISION + 4)}" data-width="${width.toFixed(PRECISION + 4)}"`
  return `<button style="${style}" ${data} title="${name}: ${counted(block.cycles, 'cycle')}, ${share} %">${name}</button>`
}

function hueOf(name: string): number {
  let hash = 0
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 997
  return hash % 90
}
