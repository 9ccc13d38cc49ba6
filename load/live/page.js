// Runs in a browser: draws the seconds that /seconds tells.
const seconds = [];
const dark = matchMedia('(prefers-color-scheme: dark)').matches;
const text = (id, value) => {
  document.getElementById(id).textContent = value;
};

/** At most so many rows of what was wrong: a line of text holds no more. */
const mostRows = 4;
const wrongText = (rows = []) =>
  rows.length === 0
    ? ''
    : ` (${rows
        .slice(0, mostRows)
        .map(({ operation, answer, count }) => `${operation} ${answer} x ${count}`)
        .join(', ')})`;

const charts = [
  ['rate', 'journeys/s', ['offered', 'achieved']],
  ['latency', 'ms', ['p50', 'p95', 'lagMs']],
  ['errors', '', ['errors', 'inFlight']],
].map(([id, unit, names]) => {
  const chart = window.echarts.init(document.getElementById(id), dark ? 'dark' : undefined, {
    renderer: 'svg',
  });
  addEventListener('resize', () => chart.resize());
  return { chart, unit, names };
});

function draw() {
  for (const { chart, unit, names } of charts)
    chart.setOption({
      animation: false,
      backgroundColor: 'transparent',
      legend: {},
      grid: { left: 60, right: 20, top: 40, bottom: 30 },
      tooltip: { trigger: 'axis' },
      xAxis: { type: 'value', min: 1, minInterval: 1 },
      yAxis: { type: 'value', name: unit },
      series: names.map((name) => ({
        name,
        type: 'line',
        showSymbol: false,
        data: seconds.map((second) => [second.at, second[name]]),
      })),
    });
  const last = seconds.at(-1);
  if (last)
    text(
      'now',
      `${last.at} s: ${last.offered.toFixed(0)}/s offered, ${last.achieved}/s achieved, p95 ${last.p95 > 0 ? `${last.p95.toFixed(1)} ms` : '–'}, ${last.errors} errors${wrongText(last.wrong)}, ${last.inFlight} in flight`,
    );
}

const source = new EventSource('/seconds');
source.addEventListener('begin', ({ data }) => {
  const state = JSON.parse(data);
  seconds.splice(0, seconds.length, ...state.seconds);
  text('title', state.title);
  draw();
});
source.addEventListener('second', ({ data }) => {
  seconds.push(JSON.parse(data));
  draw();
});
source.addEventListener('end', ({ data }) => {
  text('now', JSON.parse(data));
  source.close();
});
