import { useEffect, useRef } from 'react'
import UPlot from 'uplot'
import type { Output } from '@shared/contract/contract'
import { rgb, themeColours, useThemeColours } from '../themeColours'
import { preciseTime } from '../times'
import { chartPoints, pointAt, type Stretch } from './chartPoints'
import { formatValue, type ValueFormat } from './valueFormat'
import './byteChart.css'

type Values = Output<'recorder.values'>

interface ByteChartProps {
  readonly values: Pick<Values, 'points' | 'damages' | 'gaps'> | null
  readonly span: Stretch
  /** CSS px */
  readonly height: number
  readonly scale?: 'byte' | 'number'
  readonly format?: ValueFormat
  /** The highlighted part; null where it is open at that end. */
  readonly part?: { readonly from: number | null; readonly to: number | null }
  readonly time?: number | undefined
  readonly onTime?: (time: number) => void
  readonly onStretch?: (stretch: Stretch) => void
}

export function ByteChart(props: ByteChartProps) {
  const { values, span, height, part, time, scale = 'byte', format = 'hex' } = props
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<UPlot>(null)
  const latest = useRef(props)
  const colours = useThemeColours()

  useEffect(() => {
    latest.current = props
  })

  useEffect(() => {
    const element = box.current
    if (!element) return undefined
    const plot = new UPlot(optionsOf(latest, element.clientWidth, height), dataOf(latest.current), element)
    chart.current = plot
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
      chart.current = null
    }
  }, [colours, height, scale, format])

  useEffect(() => {
    chart.current?.setData(dataOf({ values, span: { from: span.from, to: span.to } }))
  }, [values, span.from, span.to, colours, height, scale, format])

  useEffect(() => {
    chart.current?.redraw(false)
  }, [part, time])

  return <div ref={box} className="byte-chart" aria-hidden />
}

function dataOf({ values, span }: Pick<ByteChartProps, 'values' | 'span'>): UPlot.AlignedData {
  const points = chartPoints(values?.points ?? [], values?.gaps ?? [], span.to)
  return [
    points.map(({ time }) => time),
    points.map(({ value }) => value),
    points.map(({ low }) => low),
    points.map(({ high }) => high),
  ]
}

function optionsOf(latest: { readonly current: ByteChartProps }, width: number, height: number): UPlot.Options {
  const colours = themeColours()
  const style = getComputedStyle(document.documentElement)
  const isByte = latest.current.scale !== 'number'
  const { format = 'hex' } = latest.current
  const stepped = UPlot.paths.stepped?.({ align: 1 })
  const paths = stepped ? { paths: stepped } : {}
  const axis = {
    stroke: rgb(colours.muted),
    font: `${style.getPropertyValue('--text-small')} ${style.getPropertyValue('--font-data')}`,
    grid: { stroke: rgb(colours['line-strong'], 0.4), width: 1 },
    ticks: { show: false },
  }
  return {
    width,
    height,
    ms: 1,
    legend: { show: false },
    padding: [8, 40, 0, 0],
    cursor: {
      x: false,
      y: false,
      points: { show: false },
      drag: { x: latest.current.onStretch !== undefined, y: false, setScale: false },
    },
    scales: {
      x: {
        time: false,
        auto: false,
        range: () => [latest.current.span.from, Math.max(latest.current.span.to, latest.current.span.from + 1)],
      },
      y: {
        range: (_, lowest: number | null, highest: number | null) =>
          isByte
            ? [Math.max(0, (lowest ?? 0) - 1), Math.min(256, (highest ?? 255) + 1)]
            : [(lowest ?? 0) - 1, (highest ?? 0) + 1],
      },
    },
    axes: [
      { ...axis, size: 24, values: (_, times) => times.map(preciseTime), space: 110 },
      {
        ...axis,
        size: isByte && format === 'bits' ? 80 : 40,
        ...(isByte
          ? {
              values: (_: UPlot, steps: number[]) =>
                steps.map((step) => (Number.isInteger(step) && step <= 0xff ? formatValue(step, format) : '')),
              splits: hexadecimalSplits,
            }
          : {}),
      },
    ],
    series: [
      {},
      { ...paths, stroke: rgb(colours.text), width: 1, points: { show: false } },
      { ...paths, points: { show: false } },
      { ...paths, points: { show: false } },
    ],
    bands: [{ series: [3, 2], fill: rgb(colours.accent, 0.35) }],
    hooks: {
      ready: [(plot) => followPointer(plot, latest), (plot) => plot.over.append(makeTip())],
      setCursor: [(plot) => showTip(plot, latest.current)],
      drawClear: [(plot) => drawBelow(plot, latest.current)],
      draw: [(plot) => drawMoment(plot, latest.current)],
      setSelect: [
        (plot) => {
          const { left, width: length } = plot.select
          if (length < 4) return
          latest.current.onStretch?.({ from: plot.posToVal(left, 'x'), to: plot.posToVal(left + length, 'x') })
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
        },
      ],
    },
  }
}

/** At most five lines, a power of two apart. */
function hexadecimalSplits(_: UPlot, __: number, lowest: number, highest: number): number[] {
  let step = 1
  while ((highest - lowest) / step > 5) step *= 2
  const splits: number[] = []
  for (let value = Math.ceil(lowest / step) * step; value <= highest; value += step) splits.push(value)
  return splits
}

function followPointer(plot: UPlot, latest: { readonly current: ByteChartProps }): void {
  const { over } = plot
  const pick = (event: PointerEvent) => {
    if (event.buttons === 1)
      latest.current.onTime?.(
        plot.posToVal(Math.min(over.clientWidth, Math.max(0, event.clientX - over.getBoundingClientRect().left)), 'x'),
      )
  }
  over.addEventListener('pointerdown', (event) => {
    if (!latest.current.onTime) return
    over.setPointerCapture(event.pointerId)
    pick(event)
  })
  over.addEventListener('pointermove', pick)
}

function makeTip(): HTMLElement {
  const tip = document.createElement('div')
  tip.className = 'byte-chart-tip data'
  tip.hidden = true
  return tip
}

function showTip(plot: UPlot, { values, scale, format = 'hex' }: ByteChartProps): void {
  const tip = plot.over.querySelector<HTMLElement>('.byte-chart-tip')
  if (!tip) return
  const { left = -1 } = plot.cursor
  tip.hidden = left < 0 || !values
  if (tip.hidden || !values) return
  const time = plot.posToVal(left, 'x')
  const point = pointAt(values.points, values.gaps, time)
  const text = (value: number) => (scale === 'number' ? String(value) : formatValue(value, format))
  const shown =
    point === undefined
      ? 'not known'
      : point.low === point.high
        ? text(point.value)
        : `${text(point.low)} to ${text(point.high)}`
  tip.textContent = `${preciseTime(time)}  ${shown}`
  const isRight = left > plot.over.clientWidth / 2
  tip.style.left = isRight ? '' : `${left + 12}px`
  tip.style.right = isRight ? `${plot.over.clientWidth - left + 12}px` : ''
}

function drawBelow(plot: UPlot, { values, part, span }: ByteChartProps): void {
  const colours = themeColours()
  const shade = (from: number, to: number, colour: string) => {
    const { left, top, width, height } = plot.bbox
    const x = (time: number) => Math.min(left + width, Math.max(left, plot.valToPos(time, 'x', true)))
    plot.ctx.fillStyle = colour
    plot.ctx.fillRect(x(from), top, Math.max(2, x(to) - x(from)), height)
  }
  if (part && (part.from !== null || part.to !== null))
    shade(part.from ?? span.from, part.to ?? span.to, rgb(colours['accent-soft']))
  for (const { from, to } of values?.gaps ?? []) shade(from, to, rgb(colours['line-strong'], 0.35))
  for (const { from, to } of values?.damages ?? []) shade(from, to, rgb(colours['bad-soft']))
}

function drawMoment(plot: UPlot, { time, span }: ByteChartProps): void {
  if (time === undefined || time < span.from || time > span.to) return
  plot.ctx.fillStyle = rgb(themeColours().accent)
  plot.ctx.fillRect(Math.round(plot.valToPos(time, 'x', true)) - 1, plot.bbox.top, 2, plot.bbox.height)
}
