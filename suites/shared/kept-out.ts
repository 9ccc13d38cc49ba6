// Checks that a call refuses outsiders, callers without a part in what it is about, where the target's other calls do.
import { clauseById } from '../../catalog/clauses/clauses.ts';
import type { Operation } from '../../catalog/operation.ts';
import { statusOf } from '../../engine/http/exchange.ts';
import { notTriggered, pass, warning } from '../../engine/judgement.ts';
import { type Check, check } from '../../engine/probe/check.ts';

/** Fewest other calls that must refuse outsiders, with none that lets them in. */
const fewest = 3;

/** The document does not say who may see what, but a target that refuses outsiders everywhere else shows it. */
export const keepsOut = (operation: Operation): Check =>
  check(
    operation,
    'strangers',
    clauseById('sense.strangers'),
    'keeps out who has no part in what they ask about, as the other calls do',
    async (context) => {
      const seen = await context.outsiderAnswers();
      const own = seen.filter((each) => each.operation === operation);
      if (own.length === 0) return notTriggered('no step saw how it answers a caller who has no part in it');
      const letIn = own.find(({ isLetIn }) => isLetIn);
      if (letIn === undefined) return pass(own[0]?.exchange);
      const others = Map.groupBy(
        seen.filter((each) => each.operation !== operation),
        (each) => each.operation,
      );
      const keeping = [...others].filter(([, all]) => all.every(({ isLetIn }) => !isLetIn));
      if (keeping.length < fewest || keeping.length < others.size)
        return notTriggered('other calls let such callers in too, or few were seen');
      const named = keeping.map(([{ id }]) => id).join(', ');
      return {
        ...warning(
          `a refusal, as ${named} give to callers who have no part in what they ask about`,
          `${statusOf(letIn.exchange)}, as for those who have a part in it`,
          letIn.exchange,
        ),
        seenIn: [...new Set(seen.map(({ step }) => step))],
      };
    },
  );
