/**
 * The two scores that skill tuning knows under one name. Its actions write the health score into `quality_score`; its
 * quality gates describe a composite. They differ, so both are computed and shown beside what the file says.
 */

export const severities = ['critical', 'high', 'medium', 'low'] as const
export type Severity = (typeof severities)[number]
export type SeverityCounts = Readonly<Record<Severity, number>>

export const gates = ['pass', 'review', 'fail'] as const
type Gate = (typeof gates)[number]

export interface Score {
  /** 0 to 100, or above where the composite's parts add up to more. */
  readonly score: number
  readonly gate: Gate
}

export interface CompositeScore extends Score {
  /** What the score is made of: 40 % of the health score, 30 % of the fixes that were verified, and two flat parts. */
  readonly parts: {
    readonly severity: number
    readonly fixes: number
    readonly coverage: number
    readonly efficiency: number
  }
}

/** What one open issue takes from the health score. */
const weights: SeverityCounts = { critical: 25, high: 15, medium: 5, low: 1 }

const health = (counts: SeverityCounts): number =>
  Math.max(0, 100 - severities.reduce((sum, severity) => sum + counts[severity] * weights[severity], 0))

/** The score and gate that the actions write. */
export function healthScore(counts: SeverityCounts): Score {
  const score = health(counts)
  if (counts.critical === 0 && counts.high <= 2 && score >= 60) return { score, gate: 'pass' }
  return { score, gate: score >= 40 ? 'review' : 'fail' }
}

/** Points for 0 to 4 diagnoses that are done; more than four count as four. */
const coveragePoints = [0, 0, 10, 15, 20]
const efficiencyPoints = (iterations: number): number =>
  iterations <= 1 ? 10 : iterations === 2 ? 7 : iterations === 3 ? 4 : 0

/**
 * The score and gate of the quality gates' description.
 * @param done how many diagnoses have a result
 * @param fixes how many were applied, and how many of them passed their verification
 */
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
