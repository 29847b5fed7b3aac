-- Sign-ons that people are on their way through, each bound to one browser. Gone once it was used.
create table oauth_requests (
  -- Of the `state` that the provider sends back.
  state_hash bytea primary key,
  browser_hash bytea not null,
  -- PKCE verifier, nonce and the path to return to.
  sealed bytea not null,
  expires_at timestamptz not null
);
create index oauth_requests_expiring on oauth_requests (expires_at);

-- Identities that came back with the e-mail of an account, until its owner gives the password in that browser.
create table oauth_links (
  browser_hash bytea primary key,
  user_id text not null references users on delete cascade,
  -- Issuer, subject, what the provider says of the e-mail, and the path to return to.
  sealed bytea not null,
  expires_at timestamptz not null
);
create index oauth_links_of_user on oauth_links (user_id);
