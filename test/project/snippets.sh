# Before every snippet of a shell: what it calls does what a reader's would, against a site of this test's own.
# What cannot be done here is noted in $RECORDED, and test/system/snippets.test.ts says of each such line who does it instead.
set -eu

# It would only print a refusal; here a refusal is a failure.
curl() { command curl --silent --show-error --fail-with-body "$@"; }

record() { printf '%s\n' "$*" >> "$RECORDED"; }
standfirst() { "$NODE" "$PROGRAM" "$@"; }

# Until it says this, and then until it has ended well.
until_it_says() {
  local words="$1" log="$PWD/said.log"
  shift
  : > "$log"
  "$NODE" "$PROGRAM" "$@" > "$log" &
  local process=$!
  until grep -q "$words" "$log"; do
    kill -0 "$process"
    sleep 0.1
  done
  kill "$process"
  wait "$process"
}

npx() {
  case "$1 ${2-} ${3-}" in
    'standfirst serve '*) shift && until_it_says '"listening"' "$@" ;;
    'standfirst worker ') shift && until_it_says '"working"' "$@" ;;
    'standfirst webhook listen') shift && until_it_says OUTBOUND_ALLOW= "$@" --port 0 ;;
    # Without a command it says which there are, and ends with 1.
    'standfirst  ') standfirst || [ $? = 1 ] ;;
    standfirst*) shift && standfirst "$@" ;;
    *) record npx "$@" ;;
  esac
}

npm() {
  if [ "$1" = start ]; then until_it_says '"listening"' serve --worker; else record npm "$@"; fi
}

sudo() {
  case "$1 ${2-} ${3-}" in
    '-u postgres psql')
      shift 3
      psql --quiet "$SERVER" "$@"
      # Roles are of the whole server, and here other sites have made them already: from PostgreSQL 16 on
      # whoever did not make them is let in once.
      psql --quiet "$SERVER" -c "grant svc_owner, svc_publisher, svc_public, svc_api, svc_desk, svc_worker to $OWNER"
      ;;
    *) record sudo "$@" ;;
  esac
}

# The operator's and the migrating container are the program with the owner's credential, and a folder for backups.
docker() {
  case "$*" in
    'compose -f deploy/compose.yaml run --rm operator '*) shift 6 && standfirst "${@/#\/backups/$PWD/deploy/backups}" ;;
    'compose -f deploy/compose.yaml run --rm migrate') standfirst migrate ;;
    *) record docker "$@" ;;
  esac
}

for program in claude code cp install systemctl useradd; do
  eval "$program() { record $program \"\$@\"; }"
done
