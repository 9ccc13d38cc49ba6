import { expect, test } from 'vitest';
import { refuseForeignHosts } from './allowed-hosts.ts';

test.each(['http://127.0.0.1:8080', 'http://localhost', 'http://[::1]:1/api'])(
  '%s is this machine',
  (url) => {
    expect(() => refuseForeignHosts([url], undefined)).not.toThrow();
  },
);

test('another host is refused, and the line says what to set', () => {
  expect(() => refuseForeignHosts(['https://game.example:8443/api', 'http://127.0.0.1'], undefined)).toThrow(
    '"game.example:8443" is not this machine and not listed; if you may put load on it, set LOAD_ALLOW_HOSTS=game.example:8443',
  );
});

test.each(['game.example', 'other.example, game.example', 'GAME.example:8443'])(
  'a host listed in %j is allowed',
  (allowed) => {
    expect(() => refuseForeignHosts(['https://game.example:8443'], allowed)).not.toThrow();
  },
);

test.each(['example', 'game.example:1', 'notgame.example', '*'])(
  'a list of %j does not allow it',
  (allowed) => {
    expect(() => refuseForeignHosts(['https://game.example:8443'], allowed)).toThrow('not listed');
  },
);
