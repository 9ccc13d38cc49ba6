import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { open } from '../../catalog/clauses/open.ts';
import type { Flow } from '../../engine/flow/flow.ts';

const area = areas.archives;
const clauses = effects.progression;
const anyState = open['open.flows'];

/** Stories, their nodes and pages, and the reward track. */
export function archives(flow: Flow): void {
  const { prepare, step } = flow.scene('player', 'other');

  const before = prepare('progress as it was', async (stage) => ({
    node: await stage.snapshot('player', area.activeNode),
    othersNode: await stage.snapshot('other', area.activeNode),
  }));

  const story = step('story', [area.story], clauses.called, 'a player reads a story', async (stage) => {
    const answer = await stage.done('player', area.story);
    const { node } = stage.of(before);
    const named = stage.values(answer, /node.*id$/i);
    return named.filter((id) => !stage.mentioned(node.exchange, id));
  });

  const chosen = step(
    'active-node',
    [area.updateActiveNode, area.activeNode],
    clauses.shown,
    'the node that a player makes active is the active one',
    async (stage) => {
      const [nodeId] = stage.of(story);
      if (nodeId === undefined)
        return stage.cannotTell('unknown-resource', 'the story tells no node but the active one');
      const { value } = await stage.sets('player', area.updateActiveNode, {
        value: nodeId,
        as: 'nodeId',
        // Which nodes there are is told by the names of members alone, and not which of them may be made active.
        madeUp: 'a node that the story names',
        shownIn: (value) => ({ operation: area.activeNode, value, what: 'the node that was made active' }),
      });
      return value;
    },
  );

  step(
    'active-node-own',
    [area.activeNode, area.updateActiveNode],
    clauses.own,
    "another player's active node stays as it was",
    async (stage) => {
      stage.of(chosen);
      const after = await stage.snapshot('other', area.activeNode);
      stage.expect(
        await stage.isStill(stage.of(before).othersNode, after),
        "the other player's node as it was",
        'another one',
        after.exchange,
      );
    },
  );

  const journal = step(
    'journal',
    [area.journal],
    clauses.called,
    'a player reads a journal',
    async (stage) => {
      await stage.done('player', area.journal);
      return {
        own: await stage.snapshot('player', area.journal),
        others: await stage.snapshot('other', area.journal),
      };
    },
  );

  const turned = step(
    'page',
    [area.readPage, area.journal],
    anyState,
    'whether a page that was read shows in the journal',
    async (stage) => {
      const { own } = stage.of(journal);
      const [pageId] = stage.values(own.exchange, /page.*id$/i);
      await stage.done(
        'player',
        area.readPage,
        pageId === undefined
          ? {}
          : { carry: { pageId }, anyFixed: true, madeUp: 'a page that the journal names' },
      );
      const shown = await stage.changed('player', own, area.journal);
      if (shown) stage.worked(area.readPage);
      stage.observe(shown ? 'it does' : 'it does not', shown?.exchange);
      return shown !== undefined;
    },
  );

  step(
    'page-own',
    [area.readPage, area.journal],
    clauses.own,
    "another player's journal stays as it was",
    async (stage) => {
      if (!stage.of(turned)) stage.cannotTell('needs-state', 'the page shows in no journal');
      const after = await stage.snapshot('other', area.journal);
      stage.expect(
        await stage.isStill(stage.of(journal).others, after),
        "the other player's journal as it was",
        'another one',
        after.exchange,
      );
    },
  );

  step(
    'popup',
    [area.showStartPopup, area.popupStatus],
    anyState,
    'whether a popup that was shown is told as shown',
    async (stage) => {
      const status = await stage.snapshot('player', area.popupStatus);
      await stage.done('player', area.showStartPopup);
      const shown = await stage.changed('player', status, area.popupStatus);
      stage.observe(shown ? 'it is' : 'it is not', shown?.exchange);
    },
  );

  step(
    'xp',
    [area.updateXp, area.tier],
    anyState,
    'whether experience that is reported in its plain form moves the tier',
    async (stage) => {
      const tier = await stage.snapshot('player', area.tier);
      await stage.done('player', area.updateXp);
      const moved = await stage.changed('player', tier, area.tier);
      stage.observe(moved ? 'it does' : 'it does not', moved?.exchange);
    },
  );

  step(
    'old-tracks',
    [area.claimOldTracks],
    anyState,
    'what claiming old reward tracks is answered',
    async (stage) => {
      await stage.observeAnswer('player', area.claimOldTracks);
    },
  );
}
