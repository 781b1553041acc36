/**
 * Skill tuning has two scores of one name: its actions write the health score into `quality_score`, its quality gates
 * describe a composite. Both are computed and shown beside the file's value.
 */

export const severities = ['critical', 'high', 'medium', 'low'] as const
export type Severity = (typeof severities)[number]
export type SeverityCounts = Readonly<Record<Severity, number>>

export const gates = ['pass', 'review', 'fail'] as const
type Gate = (typeof gates)[number]

export interface Score {
  readonly score: number
  readonly gate: Gate
}

export interface CompositeScore extends Score {
  /** 40 % of the health score, 30 % of the verified fixes, and two flat parts. */
  readonly parts: {
    readonly severity: number
    readonly fixes: number
    readonly coverage: number
    readonly efficiency: number
  }
}

/** Points that an open issue takes from the health score. */
const weights: SeverityCounts = { critical: 25, high: 15, medium: 5, low: 1 }

const health = (counts: SeverityCounts): number =>
  Math.max(0, 100 - severities.reduce((sum, severity) => sum + counts[severity] * weights[severity], 0))

export function healthScore(counts: SeverityCounts): Score {
  const score = health(counts)
  if (counts.critical === 0 && counts.high <= 2 && score >= 60) return { score, gate: 'pass' }
  return { score, gate: score >= 40 ? 'review' : 'fail' }
}

/** Points for 0 to 4 completed diagnoses; more count as four. */
const coveragePoints = [0, 0, 10, 15, 20]
const efficiencyPoints = (iterations: number): number =>
  iterations <= 1 ? 10 : iterations === 2 ? 7 : iterations === 3 ? 4 : 0

export function compositeScore(
  counts: SeverityCounts,
  done: number,
  fixes: { applied: number; passed: number },
  iterations: number,
): CompositeScore {
  const parts = {
    severity: health(counts),
    fixes: fixes.applied === 0 ? 100 : Math.round((100 * fixes.passed) / fixes.applied),
    coverage: coveragePoints[Math.min(done, 4)] ?? 0,
    efficiency: efficiencyPoints(iterations),
  }
  const score = Math.round(0.4 * parts.severity + 0.3 * parts.fixes + parts.coverage + parts.efficiency)
  return { score, gate: compositeGate(counts, score), parts }
}

function compositeGate({ critical, high }: SeverityCounts, score: number): Gate {
  if (critical > 0 || high > 5 || score < 60) return 'fail'
  return high > 2 || score < 80 ? 'review' : 'pass'
}
