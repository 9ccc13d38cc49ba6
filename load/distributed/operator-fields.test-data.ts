// Every field of a TestRun that an export may write, with the type its operator gives it.
// Source: github.com/grafana/k6-operator, api/v1alpha1/testrun_types.go at commit
// 0541ec5050d17308499bd3447213a5d102a122c6, from which config/crd/bases/k6.io_testruns.yaml is generated. The fields of
// env, resources, volumes and volumeMounts are those of core/v1 in Kubernetes 1.27 (EnvVar, ResourceRequirements, …).

type Kind = 'string' | 'integer' | 'boolean';

const pod = (at: string): Record<string, Kind> => ({
  [`${at}.image`]: 'string',
  [`${at}.env[].name`]: 'string',
  [`${at}.env[].value`]: 'string',
  [`${at}.env[].valueFrom.secretKeyRef.name`]: 'string',
  [`${at}.env[].valueFrom.secretKeyRef.key`]: 'string',
  [`${at}.env[].valueFrom.secretKeyRef.optional`]: 'boolean',
  [`${at}.resources.requests.cpu`]: 'string',
  [`${at}.resources.requests.memory`]: 'string',
  [`${at}.resources.limits.memory`]: 'string',
  [`${at}.volumes[].name`]: 'string',
  [`${at}.volumes[].secret.secretName`]: 'string',
  [`${at}.volumes[].secret.defaultMode`]: 'integer',
  [`${at}.volumeMounts[].name`]: 'string',
  [`${at}.volumeMounts[].mountPath`]: 'string',
  [`${at}.volumeMounts[].readOnly`]: 'boolean',
});

/** `spec` requires script and parallelism; cleanup may only be `post`. */
export const operatorFields: Readonly<Record<string, Kind>> = {
  apiVersion: 'string',
  kind: 'string',
  'metadata.name': 'string',
  'metadata.labels.app.kubernetes.io/name': 'string',
  'spec.parallelism': 'integer',
  'spec.separate': 'boolean',
  'spec.arguments': 'string',
  'spec.script.configMap.name': 'string',
  'spec.script.configMap.file': 'string',
  ...pod('spec.initializer'),
  ...pod('spec.runner'),
};
