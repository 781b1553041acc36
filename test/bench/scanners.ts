/** The four scanners of skill tuning: their time over hostile texts, and what they find in the labelled set. */
import { performance } from 'node:perf_hooks'
import type { SkillFile } from '../../src-main/formats/tuning/scan/skillText'
import { scanSkill, type Area } from '../../src-main/formats/tuning/scan/scan'
import { diagnosisAreas } from '../../src-main/formats/tuning/schema'
import { samplePatterns, scoreSample, tuningSamples } from '../support/tuningSamples'
import type { Row } from './row'

const MEGABYTE = 1_000_000

/** Each is repeated: within one line and one fence, on lines, and as fences of its own. */
const hostileParts = [
  '{',
  '(((',
  'Task({',
  "'\\",
  '`${',
  '/[',
  '"""',
  '/*',
  '...history, ',
  'history history ',
  'return {content: ',
  'JSON.parse(',
  'Write("state.json", ',
  'a.name a.title ',
  '[TASK] ',
  '{{content',
  'constraints ',
  '    ',
  'subagent_type: "a" ',
]

function hostileSkill(): SkillFile[] {
  const size = Math.floor((10 * MEGABYTE) / (3 * hostileParts.length))
  const repeated = (text: string) => text.repeat(Math.ceil(size / text.length)).slice(0, size)
  return hostileParts.flatMap((part, index) => [
    { path: `phases/${index}-line.md`, text: `\`\`\`js\n${repeated(part)}` },
    { path: `phases/${index}-lines.md`, text: repeated(`${part}\n`) },
    { path: `phases/${index}-fences.md`, text: repeated(`\`\`\`\n${part}\n\`\`\`\n`) },
  ])
}

export default function scanners(): Promise<Row[]> {
  return Promise.resolve([...speed(), ...diagnosisAreas.flatMap(quality)])
}

function speed(): Row[] {
  const skill = hostileSkill()
  const characters = skill.reduce((sum, { text }) => sum + text.length, 0)
  const [started, before] = [performance.now(), process.cpuUsage()]
  const areas = scanSkill(skill, diagnosisAreas, () => performance.now())
  const seconds = (performance.now() - started) / 1000
  const { user, system } = process.cpuUsage(before)
  const parts = areas.map(({ area, diagnosis }) => `${area} ${diagnosis.execution_time_ms} ms`)
  return [
    {
      name: 'all four over hostile texts',
      value: seconds,
      unit: 's',
      target: 'under 2 s for 10 MB',
      met: seconds < 2,
      note: `${(characters / MEGABYTE).toFixed(1)} MB; ${((user + system) / 1e6).toFixed(1)} s of CPU on all threads; ${parts.join(', ')}`,
    },
  ]
}

function quality(area: Area): Row[] {
  const patterns = new Map<string, { hits: number; missed: number; wrong: number }>()
  const total = { hits: 0, missed: 0, wrong: 0 }
  const samples = tuningSamples(area)
  const add = (pattern: string, what: keyof typeof total) => {
    const counts = patterns.get(pattern) ?? { hits: 0, missed: 0, wrong: 0 }
    counts[what]++
    total[what]++
    patterns.set(pattern, counts)
  }
  for (const sample of samples) {
    const files = [...sample.files].map(([path, text]) => ({ path, text }))
    const [scan] = scanSkill(files, [area], () => 0)
    const found = scan?.diagnosis.details.evidence ?? []
    const { missed, wrong } = scoreSample(sample, found)
    for (const { pattern } of missed) add(pattern, 'missed')
    for (const { pattern } of wrong) add(pattern, 'wrong')
    for (const issue of sample.expected) if (!missed.includes(issue)) add(issue.pattern, 'hits')
  }
  const { hits, missed, wrong } = total
  const precision = hits / (hits + wrong)
  const recall = hits / (hits + missed)
  const row = (name: string, value: number, floor: number, note: string): Row => ({
    name: `${area}: ${name}`,
    value,
    unit: '',
    target: `at least ${floor}`,
    met: value >= floor,
    note,
  })
  const byPattern = samplePatterns[area].map((pattern) => {
    const counts = patterns.get(pattern) ?? { hits: 0, missed: 0, wrong: 0 }
    return `${pattern} ${counts.hits} found, ${counts.missed} missed, ${counts.wrong} wrong`
  })
  return [
    row('precision', precision, 0.9, `${samples.length} samples`),
    row('recall', recall, 0.8, byPattern.join('; ')),
  ]
}
