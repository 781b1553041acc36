import { z } from 'zod'

// Imported first: with its JIT on, zod probes `new Function` when it builds a schema, which our CSP reports.
z.config({ jitless: true })
